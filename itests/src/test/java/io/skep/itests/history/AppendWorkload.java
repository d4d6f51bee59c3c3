package io.skep.itests.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** INSERTs that add one row to each of some partitions, and reads of the whole table. */
public final class AppendWorkload implements Workload {
    private static final int PARTITIONS = 3;

    private final String table;
    private final HistoryClock clock;
    private final AtomicLong ids = new AtomicLong();
    private final WriteLog writes;
    private final List<SetChecker.Read> reads = new ArrayList<>();

    public AppendWorkload(String table, HistoryClock clock) {
        this.table = table;
        this.clock = clock;
        this.writes = new WriteLog(clock);
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
        writes.record(
                id,
                () -> statement.execute("INSERT INTO " + table + " PARTITION (p) VALUES " + String.join(", ", rows)));
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
        return SetChecker.violations(PARTITIONS, writes.all(), reads);
    }

    @Override
    public long acknowledged() {
        return writes.acknowledged();
    }

    @Override
    public synchronized String summary() {
        return writes.summary("append", reads.size());
    }
}
