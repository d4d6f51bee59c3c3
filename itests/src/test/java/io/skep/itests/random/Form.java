package io.skep.itests.random;

import java.util.List;
import java.util.Optional;

/**
 * A template that builds an expression from others.
 *
 * @param hive a format whose arguments are the operands
 * @param peer the format in DuckDB, or empty if DuckDB has no equivalent
 */
record Form(Kind result, List<Slot> operands, String hive, Optional<String> peer) {
    Form {
        operands = List.copyOf(operands);
    }

    /** The kind of expression that is allowed as an operand. */
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
