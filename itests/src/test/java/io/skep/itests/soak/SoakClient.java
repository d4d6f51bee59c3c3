package io.skep.itests.soak;

import io.skep.itests.client.ReleasedClient;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Opens sessions one after the other and runs ten statements in each. Of a hundred statements, ten are cancelled at a
 * random time, five fail, fifteen write, and the others read. The client writes to its own table, whose content it
 * knows. Owned by one thread.
 */
final class SoakClient {
    static final int STATEMENTS_A_SESSION = 10;

    private static final int CANCELLED = 10;
    private static final int FAILING = 5;
    private static final int WRITES = 15;
    private static final int HUNDRED = 100;

    /** The delays are chosen so that cancellations arrive before, during and after the run of most statements. */
    private static final double EARLIEST_CANCEL_MICROS = 1_000;

    private static final double LATEST_CANCEL_MICROS = 60_000;

    /** The number of rows in a table from which on the next write replaces all of them. */
    private static final int MAX_ROWS = 40;

    private static final List<String> LONG = List.of(
            "SELECT count(*), max(concat(a.v, b.v)) FROM numbers a JOIN numbers b ON a.k % 10 = b.k % 10",
            "SELECT a.k, b.k FROM numbers a CROSS JOIN numbers b ORDER BY a.k * b.k, b.k LIMIT 50",
            "SELECT k % 7, count(DISTINCT v), max(concat(v, k)) FROM numbers GROUP BY k % 7");

    private static final List<String> WRONG = List.of(
            "SELECT nothing FROM numbers",
            "SELECT FROM WHERE",
            "SELECT assert_true(k < 100) FROM numbers",
            "INSERT INTO numbers SELECT 1",
            "CREATE TABLE numbers (k INT)");

    /** A query and its row count over {@link #NUMBERS} rows. */
    private record Question(String query, int rows) {}

    static final int NUMBERS = 2000;

    private static final List<Question> QUESTIONS = List.of(
            new Question("SELECT 1", 1),
            new Question("SELECT k, v FROM numbers WHERE k % 100 = 7", 20),
            new Question("SELECT k % 10, count(*), sum(k) FROM numbers GROUP BY k % 10", 10),
            new Question("SELECT a.k, b.v FROM numbers a JOIN numbers b ON a.k = b.k + 1 WHERE a.k < 50", 49),
            new Question("SELECT * FROM numbers ORDER BY v DESC LIMIT 17", 17),
            new Question("SELECT k, rank() OVER (PARTITION BY k % 3 ORDER BY k) FROM numbers", NUMBERS),
            new Question("SHOW PARTITIONS numbers", 4),
            new Question("DESCRIBE numbers", 7));

    private final ReleasedClient client;
    private final String url;
    private final String table;
    private final Random random;
    private final ScheduledExecutorService timer;
    private int rows;

    /** @param number the number of the client, which determines its seed and its table's name */
    SoakClient(ReleasedClient client, String url, int number, ScheduledExecutorService timer) {
        this.client = client;
        this.url = url;
        this.table = "own" + number;
        this.random = new Random(number);
        this.timer = timer;
    }

    void setUp() throws SQLException {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (a INT, b STRING) STORED AS ORC");
        }
    }

    /** @throws SQLException if a statement fails that should succeed */
    void session() throws SQLException {
        try (Connection connection = client.connect(url)) {
            for (int i = 0; i < STATEMENTS_A_SESSION; i++) {
                try (Statement statement = connection.createStatement()) {
                    one(statement);
                }
            }
        }
    }

    private void one(Statement statement) throws SQLException {
        int kind = random.nextInt(HUNDRED);
        if (kind < CANCELLED) {
            cancel(statement);
        } else if (kind < CANCELLED + FAILING) {
            fail(statement);
        } else if (kind < CANCELLED + FAILING + WRITES) {
            write(statement);
        } else {
            ask(statement);
        }
    }

    /**
     * Cancels a statement at a random time. Such statements only read, because the client could not know whether a
     * write had finished before its cancellation.
     */
    private void cancel(Statement statement) throws SQLException {
        // The logarithm of the delay is uniform, so short delays are as frequent as long ones.
        double micros =
                EARLIEST_CANCEL_MICROS * Math.pow(LATEST_CANCEL_MICROS / EARLIEST_CANCEL_MICROS, random.nextDouble());
        ScheduledFuture<?> cancelling = timer.schedule(
                () -> {
                    statement.cancel();
                    return statement;
                },
                (long) micros,
                TimeUnit.MICROSECONDS);
        try {
            ReleasedClient.countRows(statement, LONG.get(random.nextInt(LONG.size())));
        } catch (SQLException e) {
            if (!String.valueOf(e.getMessage()).contains("cancel") && !statement.isClosed()) {
                throw e;
            }
        } finally {
            cancelling.cancel(false);
        }
    }

    private void fail(Statement statement) throws SQLException {
        String wrong = WRONG.get(random.nextInt(WRONG.size()));
        try {
            statement.execute(wrong);
            if (statement.getUpdateCount() < 0) {
                drain(statement.getResultSet());
            }
        } catch (SQLException e) {
            if (String.valueOf(e.getMessage()).contains("INTERNAL_ERROR")) {
                throw e;
            }
            return;
        }
        throw new SQLException("not refused: " + wrong);
    }

    private void write(Statement statement) throws SQLException {
        int count = 1 + random.nextInt(4);
        boolean replaces = rows > MAX_ROWS;
        statement.execute("INSERT " + (replaces ? "OVERWRITE TABLE " : "INTO ") + table
                + " SELECT CAST(k AS INT), v FROM numbers WHERE k < " + count);
        rows = replaces ? count : rows + count;
        expect(statement, "SELECT * FROM " + table, rows);
    }

    private void ask(Statement statement) throws SQLException {
        Question question = QUESTIONS.get(random.nextInt(QUESTIONS.size()));
        if (random.nextInt(5) == 0) {
            // Abandons the result before its end.
            statement.setFetchSize(10);
            try (ResultSet some = statement.executeQuery(question.query())) {
                some.next();
            }
        } else {
            expect(statement, question.query(), question.rows());
        }
    }

    private static void expect(Statement statement, String query, int rows) throws SQLException {
        int count = ReleasedClient.countRows(statement, query);
        if (count != rows) {
            throw new SQLException(query + " has " + count + " rows instead of " + rows);
        }
    }

    private static void drain(ResultSet rows) throws SQLException {
        while (rows.next()) {}
    }
}
