package io.skep.engine.function;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The available functions and their types, for the analyzer. A session's catalog adds the session's temporary functions
 * to the built-in ones. Names are lower case. Types follow Hive: the entries of {@link BuiltInFunctions} declare them,
 * and for all other functions Hive's class determines them.
 */
public interface FunctionCatalog {
    enum Kind {
        SCALAR,
        AGGREGATE,
        TABLE,
        /** A partitioned table function, such as noop: usable only as a source of rows in FROM. */
        PARTITIONED,
        /** Usable only with OVER: rank, lag and similar. Aggregates are usable with OVER too. */
        WINDOW
    }

    /** An argument: its type, and its value if it is a constant. The types of some functions depend on the value. */
    record Argument(SqlType type, Optional<Datum> constant) {
        public static Argument of(SqlType type) {
            return new Argument(type, Optional.empty());
        }
    }

    /**
     * A resolved call.
     *
     * @param function the name to use in the plan
     * @param parameterTypes the type to which each argument must be cast before the call; the argument's own type if no
     *     cast is needed
     * @param deterministic whether the same arguments give the same result in all queries, so that the call may be
     *     folded and shared
     */
    record ScalarSignature(String function, List<SqlType> parameterTypes, SqlType type, boolean deterministic) {}

    record AggregateSignature(String function, List<SqlType> parameterTypes, SqlType stateType, SqlType type) {}

    record TableSignature(String function, List<String> columnNames, List<SqlType> columnTypes) {}

    /**
     * A function as drivers list it.
     *
     * @param name in lower case
     * @param displayName as Hive's registry spells it; several names can share it
     * @param registration the class with which Hive's registry holds such a function
     */
    record Listed(
            String name, String displayName, Optional<String> description, boolean isTable, String registration) {}

    /**
     * Returns all functions in the order of their names: those of {@link #names} and the names of types that are
     * written as CAST. Disabled functions are among them.
     */
    List<Listed> listing();

    /** Returns all names, including operators ({@code +}, {@code between}), as SHOW FUNCTIONS lists them. */
    SortedSet<String> names();

    Optional<Kind> kind(String name);

    /** Returns the one-line description for DESCRIBE FUNCTION, or the longer one for EXTENDED. */
    Optional<String> description(String name, boolean extended);

    /**
     * @throws SkepException FUNCTION_NOT_FOUND with similar names, or TYPE_MISMATCH or INVALID_ARGUMENT with the
     *     arguments that the function accepts
     */
    ScalarSignature scalar(String name, List<Argument> arguments);

    /** @param star whether the call is {@code count(*)} */
    AggregateSignature aggregate(String name, List<Argument> arguments, boolean distinct, boolean star);

    AggregateSignature window(String name, List<Argument> arguments, boolean distinct);

    TableSignature table(String name, List<Argument> arguments);
}
