package io.skep.itests.history;

import io.skep.common.testing.ListChange;
import io.skep.common.testing.ListHistory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** UPDATEs and MERGEs of a transactional table of lists, which is compacted meanwhile. Reads are of the whole table. */
public final class ListWorkload implements Workload {
    /** One in this number of writes requests a compaction. */
    private static final int COMPACTIONS = 8;

    private final String table;
    private final AtomicInteger numbers = new AtomicInteger();
    private final ListHistory history = new ListHistory();

    /** The keys of rows that acknowledged writes have inserted and none has tried to delete. */
    private final Queue<Integer> rows = new ConcurrentLinkedQueue<>();

    public ListWorkload(String table) {
        this.table = table;
    }

    @Override
    public List<String> setUp() {
        return List.of(
                "CREATE TABLE IF NOT EXISTS " + table + " (k INT, v STRING) CLUSTERED BY (k) INTO 2 BUCKETS"
                        + " STORED AS ORC TBLPROPERTIES ('transactional'='true')",
                "INSERT OVERWRITE TABLE " + table + " VALUES " + ListChange.emptyLists());
    }

    @Override
    public void write(Statement statement, Random random) throws SQLException {
        if (random.nextInt(COMPACTIONS) == 0) {
            statement.execute("ALTER TABLE " + table + " COMPACT '" + (random.nextBoolean() ? "minor" : "major") + "'");
        }
        Integer row = rows.poll();
        ListChange change =
                ListChange.random(numbers.incrementAndGet(), random, row == null ? List.of() : List.of(row));
        if (row != null && change.removed() == 0) {
            rows.add(row);
        }
        long start = System.nanoTime();
        ListHistory.Outcome outcome = ListHistory.Outcome.UNKNOWN;
        try {
            statement.execute(change.sql(table));
            outcome = ListHistory.Outcome.COMMITTED;
            if (change.added() > 0) {
                rows.add(change.added());
            }
        } finally {
            history.changed(change, outcome, start);
        }
    }

    @Override
    public void read(Statement statement) throws SQLException {
        long start = System.nanoTime();
        List<ListHistory.Row> found = new ArrayList<>();
        try (ResultSet result = statement.executeQuery("SELECT k, v FROM " + table)) {
            while (result.next()) {
                found.add(new ListHistory.Row(result.getInt(1), result.getString(2)));
            }
        }
        history.read(found, start);
    }

    @Override
    public List<String> violations() {
        return history.violations();
    }

    @Override
    public long acknowledged() {
        return history.committed();
    }

    @Override
    public String summary() {
        return String.format(
                Locale.ROOT,
                "lists: %d of %d changes acknowledged, %d reads",
                history.committed(),
                history.changes(),
                history.reads());
    }
}
