package io.skep.itests.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Accounts in some partitions. A transfer reads all accounts and overwrites them. Two concurrent transfers may undo
 * each other, but they never change the sum or the number of accounts.
 */
public final class BankWorkload implements Workload {
    private static final int PARTITIONS = 3;
    private static final int ACCOUNTS = 12;
    private static final int OPENING = 100;
    private static final int LARGEST = 20;

    private final String table;
    private final List<String> wrong = new ArrayList<>();
    private int sent;
    private int acknowledged;
    private int reads;

    public BankWorkload(String table) {
        this.table = table;
    }

    @Override
    public List<String> setUp() {
        String accounts = IntStream.range(0, ACCOUNTS)
                .mapToObj(id -> "(" + id + ", " + OPENING + ", " + id % PARTITIONS + ")")
                .collect(Collectors.joining(", "));
        return List.of(
                "CREATE TABLE IF NOT EXISTS " + table
                        + " (id INT, balance BIGINT) PARTITIONED BY (p INT) STORED AS PARQUET",
                "INSERT OVERWRITE TABLE " + table + " PARTITION (p) VALUES " + accounts);
    }

    @Override
    public void write(Statement statement, Random random) throws SQLException {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        int amount = 1 + random.nextInt(LARGEST);
        synchronized (this) {
            sent++;
        }
        statement.execute(String.format(
                Locale.ROOT,
                "INSERT OVERWRITE TABLE %1$s PARTITION (p) SELECT id, balance"
                        + " + CASE id WHEN %2$d THEN -%4$d WHEN %3$d THEN %4$d ELSE 0 END, p FROM %1$s",
                table,
                from,
                to,
                amount));
        synchronized (this) {
            acknowledged++;
        }
    }

    @Override
    public void read(Statement statement) throws SQLException {
        String query = "SELECT sum(balance), count(id), count(DISTINCT id), count(DISTINCT p) FROM " + table;
        List<Long> row = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            for (int column = 1; column <= 4; column++) {
                row.add(result.getLong(column));
            }
        }
        List<Long> right = List.of((long) ACCOUNTS * OPENING, (long) ACCOUNTS, (long) ACCOUNTS, (long) PARTITIONS);
        synchronized (this) {
            reads++;
            if (!row.equals(right)) {
                wrong.add("bank: " + row + " instead of " + right);
            }
        }
    }

    @Override
    public synchronized List<String> violations() {
        return List.copyOf(wrong);
    }

    @Override
    public synchronized long acknowledged() {
        return acknowledged;
    }

    @Override
    public synchronized String summary() {
        return String.format(Locale.ROOT, "bank: %d of %d transfers acknowledged, %d reads", acknowledged, sent, reads);
    }
}
