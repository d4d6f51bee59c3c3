package io.skep.itests.history;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The writes of a workload, each of one value, and the times of their acknowledgements. Thread-safe. */
final class WriteLog {
    private final HistoryClock clock;
    private final List<Write> writes = new ArrayList<>();

    WriteLog(HistoryClock clock) {
        this.clock = clock;
    }

    /** A write. It may have taken effect even if it was not acknowledged. */
    record Write(long value, Interval when) {}

    @FunctionalInterface
    interface Statement {
        void run() throws SQLException;
    }

    /** Runs the statement of a value and records the write, even if the statement fails. */
    void record(long value, Statement statement) throws SQLException {
        long invoked = clock.now();
        Interval when = Interval.unknown(invoked);
        try {
            statement.run();
            when = new Interval(invoked, clock.now());
        } finally {
            synchronized (this) {
                writes.add(new Write(value, when));
            }
        }
    }

    synchronized List<Write> all() {
        return List.copyOf(writes);
    }

    long acknowledged() {
        return all().stream().filter(write -> write.when().isAcknowledged()).count();
    }

    String summary(String kind, int reads) {
        return String.format(
                Locale.ROOT, "%s: %d of %d writes acknowledged, %d reads", kind, acknowledged(), all().size(), reads);
    }
}
