package io.skep.itests.random;

import java.util.List;
import java.util.Optional;

/**
 * A way to make an expression of others.
 *
 * @param hive a format whose arguments are the operands
 * @param peer the format in DuckDB, empty if there is none that means the same
 */
record Form(Kind result, List<Slot> operands, String hive, Optional<String> peer) {
    Form {
        operands = List.copyOf(operands);
    }

    /** What may stand in an operand's place. */
    enum Source {
        ANY,
        LITERAL,
        /** A literal pattern of LIKE. */
        PATTERN,
        /** A literal from 1 to 9. */
        SMALL
    }

    record Slot(Kind kind, Source source) {}
}
