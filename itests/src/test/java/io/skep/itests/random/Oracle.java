package io.skep.itests.random;

import io.skep.itests.random.Verdict.Right;
import io.skep.itests.random.Verdict.Unknown;
import io.skep.itests.random.Verdict.Wrong;
import java.sql.SQLException;
import java.util.Optional;

/** Judges the result of a query. */
interface Oracle {
    Verdict judge(Query query);

    /** The SQLSTATE of a justified rejection: the message names a feature that is not supported. */
    String NOT_SUPPORTED = "0A000";

    /** A query's result, which an oracle compares with another. */
    @FunctionalInterface
    interface Result {
        Rows get() throws SQLException;
    }

    /** Compares two results of the engine. Both queries must succeed. */
    static Verdict compare(Result given, Result expected, boolean ordered) {
        try {
            Optional<String> difference = given.get().difference(expected.get(), ordered);
            return difference.<Verdict>map(Wrong::new).orElseGet(Right::new);
        } catch (SQLException e) {
            return NOT_SUPPORTED.equals(e.getSQLState())
                    ? new Unknown(String.valueOf(e.getMessage()))
                    : new Wrong("fails: " + e.getMessage());
        }
    }

    static Result of(Engine skep, Query query) {
        return () -> skep.ask(query.sql(Dialect.HIVE));
    }
}
