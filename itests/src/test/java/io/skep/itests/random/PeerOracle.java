package io.skep.itests.random;

import io.skep.itests.random.Verdict.Unknown;
import java.sql.SQLException;

/** Checks that DuckDB returns the same rows, for queries that have the same meaning there. */
record PeerOracle(Engine skep, Engine peer) implements Oracle {
    @Override
    public Verdict judge(Query query) {
        if (!query.portable()) {
            return new Unknown("means something else to the peer");
        }
        Rows expected;
        try {
            expected = peer.ask(query.sql(Dialect.DUCKDB));
        } catch (SQLException e) {
            return new Unknown("the peer refuses it: " + reason(e));
        }
        return Oracle.compare(Oracle.of(skep, query), () -> expected, query.ordered());
    }

    /** Returns the kind of an error, such as Out of Range Error. */
    private static String reason(SQLException failure) {
        return String.valueOf(failure.getMessage()).split(":", 2)[0];
    }

    @Override
    public String toString() {
        return "DuckDB";
    }
}
