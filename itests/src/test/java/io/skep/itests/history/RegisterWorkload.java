package io.skep.itests.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * OVERWRITEs that leave a single value in all partitions, and reads of it by a scan or, where possible, from
 * statistics.
 */
public final class RegisterWorkload implements Workload {
    private static final int PARTITIONS = 3;

    private final String table;
    private final HistoryClock clock;
    private final AtomicLong values = new AtomicLong();
    private final WriteLog writes;
    private final List<RegisterChecker.Read> reads = new ArrayList<>();
    private final List<String> torn = new ArrayList<>();

    public RegisterWorkload(String table, HistoryClock clock) {
        this.table = table;
        this.clock = clock;
        this.writes = new WriteLog(clock);
    }

    @Override
    public List<String> setUp() {
        return List.of("CREATE TABLE IF NOT EXISTS " + table + " (v BIGINT) PARTITIONED BY (p INT) STORED AS ORC");
    }

    @Override
    public void write(Statement statement, Random random) throws SQLException {
        long value = values.incrementAndGet();
        List<String> rows = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            rows.add("(" + value + ", " + partition + ")");
        }
        writes.record(
                value,
                () -> statement.execute(
                        "INSERT OVERWRITE TABLE " + table + " PARTITION (p) VALUES " + String.join(", ", rows)));
    }

    @Override
    public void read(Statement statement) throws SQLException {
        readBy(statement, "SELECT min(v + 0), max(v + 0), sum(1 + 0 * v), count(DISTINCT p) FROM " + table);
        readBy(statement, "SELECT min(v), max(v), count(*), " + PARTITIONS + " FROM " + table);
    }

    private void readBy(Statement statement, String query) throws SQLException {
        long invoked = clock.now();
        List<Long> row = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            for (int column = 1; column <= 4; column++) {
                row.add(result.getObject(column) == null ? 0 : result.getLong(column));
            }
        }
        Interval when = new Interval(invoked, clock.now());
        Set<Long> found = new TreeSet<>(row.subList(0, 2));
        synchronized (this) {
            if (found.equals(Set.of(0L))) {
                // The read came before the first write.
                return;
            }
            if (found.size() != 1 || row.get(2) != PARTITIONS || row.get(3) != PARTITIONS) {
                torn.add("torn: " + query + " gives " + row + " in " + when);
            } else {
                reads.add(new RegisterChecker.Read(row.getFirst(), when));
            }
        }
    }

    @Override
    public synchronized List<String> violations() {
        List<String> violations = new ArrayList<>(torn);
        violations.addAll(RegisterChecker.violations(writes.all(), reads));
        return violations;
    }

    @Override
    public long acknowledged() {
        return writes.acknowledged();
    }

    @Override
    public synchronized String summary() {
        return writes.summary("register", reads.size());
    }
}
