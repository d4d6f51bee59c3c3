package io.skep.engine.function;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What functions there are and what types they have, for the analyzer. A session's catalog adds its temporary functions to
 * the built-in ones. Names are lower case. Types follow Hive: native kernels declare them, all others are asked of Hive's
 * class itself.
 */
public interface FunctionCatalog {
    enum Kind {
        SCALAR,
        AGGREGATE,
        TABLE,
        /** Only usable with OVER: rank, lag and the like. Aggregates are usable with OVER too. */
        WINDOW
    }

    /** An argument: its type, and its value where it is a constant (some functions' types depend on it). */
    record Argument(SqlType type, Optional<Datum> constant) {
        public static Argument of(SqlType type) {
            return new Argument(type, Optional.empty());
        }
    }

    /**
     * A resolved call.
     *
     * @param function the name to put into the plan
     * @param parameterTypes what each argument has to be cast to before the call; its own type where nothing is to be done
     * @param deterministic same arguments, same result, over all queries: may be folded and shared
     */
    record ScalarSignature(String function, List<SqlType> parameterTypes, SqlType type, boolean deterministic) {}

    record AggregateSignature(String function, List<SqlType> parameterTypes, SqlType stateType, SqlType type) {}

    record TableSignature(String function, List<String> columnNames, List<SqlType> columnTypes) {}

    /** All names, operators ({@code +}, {@code between}) included, as SHOW FUNCTIONS lists them. */
    SortedSet<String> names();

    Optional<Kind> kind(String name);

    /** Hive's one-line description for DESCRIBE FUNCTION, and the longer one for EXTENDED. */
    Optional<String> description(String name, boolean extended);

    /** @throws SkepException FUNCTION_NOT_FOUND with near names, TYPE_MISMATCH or INVALID_ARGUMENT with what it takes */
    ScalarSignature scalar(String name, List<Argument> arguments);

    /** @param star {@code count(*)} */
    AggregateSignature aggregate(String name, List<Argument> arguments, boolean distinct, boolean star);

    AggregateSignature window(String name, List<Argument> arguments, boolean distinct);

    TableSignature table(String name, List<Argument> arguments);
}
