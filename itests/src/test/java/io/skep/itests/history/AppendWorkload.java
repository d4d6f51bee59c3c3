package io.skep.itests.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** INSERTs of one row into each of some partitions, and reads of the whole table. */
public final class AppendWorkload implements Workload {
    private static final int PARTITIONS = 3;

    private final String table;
    private final HistoryClock clock;
    private final AtomicLong ids = new AtomicLong();
    private final List<SetChecker.Write> writes = new ArrayList<>();
    private final List<SetChecker.Read> reads = new ArrayList<>();

    public AppendWorkload(String table, HistoryClock clock) {
        this.table = table;
        this.clock = clock;
    }

    @Override
    public List<String> setUp() {
        return List.of("CREATE TABLE IF NOT EXISTS " + table + " (id BIGINT) PARTITIONED BY (p INT) STORED AS ORC");
    }

    @Override
    public void write(Statement statement, Random random) throws SQLException {
        long id = ids.incrementAndGet();
        List<String> rows = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            rows.add("(" + id + ", " + partition + ")");
        }
        long invoked = clock.now();
        Interval when = Interval.unknown(invoked);
        try {
            statement.execute("INSERT INTO " + table + " PARTITION (p) VALUES " + String.join(", ", rows));
            when = new Interval(invoked, clock.now());
        } finally {
            synchronized (this) {
                writes.add(new SetChecker.Write(id, when));
            }
        }
    }

    @Override
    public void read(Statement statement) throws SQLException {
        Map<Long, Long> rows = new HashMap<>();
        long invoked = clock.now();
        try (ResultSet result = statement.executeQuery("SELECT id, count(*) FROM " + table + " GROUP BY id")) {
            while (result.next()) {
                rows.put(result.getLong(1), result.getLong(2));
            }
        }
        Interval when = new Interval(invoked, clock.now());
        synchronized (this) {
            reads.add(new SetChecker.Read(rows, when));
        }
    }

    @Override
    public synchronized List<String> violations() {
        return SetChecker.violations(PARTITIONS, writes, reads);
    }

    @Override
    public synchronized long acknowledged() {
        return writes.stream().filter(write -> write.when().isAcknowledged()).count();
    }

    @Override
    public synchronized String summary() {
        return String.format(
                Locale.ROOT,
                "append: %d of %d writes acknowledged, %d reads",
                acknowledged(),
                writes.size(),
                reads.size());
    }
}
