package io.skep.bench;

import java.sql.SQLException;
import java.util.List;

/** The best time of several runs of a query, in milliseconds, and the answer of the last run. */
record BestRun(double millis, Answer answer) {
    /** Runs a query once, and reads all of its rows. */
    interface Query {
        Answer run() throws SQLException;
    }

    static BestRun of(Query query, int runs) throws SQLException {
        double best = Double.MAX_VALUE;
        Answer answer = new Answer(List.of());
        for (int run = 0; run < runs; run++) {
            long start = System.nanoTime();
            answer = query.run();
            best = Math.min(best, (System.nanoTime() - start) / 1e6);
        }
        return new BestRun(best, answer);
    }
}
