package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table with many partitions on PostgreSQL, first read by a server that has no cached information about it. With
 * {@code -Dskep.large.full=true} it has 100,000 partitions, and the test prints the times.
 */
@Timeout(1800)
final class TestManyPartitions {
    private static final boolean FULL = Boolean.getBoolean("skep.large.full");
    private static final int PARTITIONS = FULL ? 100_000 : 1_500;
    private static final int WITH_ROWS = 3;

    @TempDir
    private Path folder;

    private final ReleasedClient client = ReleasedClient.open();

    TestManyPartitions() throws Exception {}

    @Test
    void areReadAndCanBeCancelled() throws Exception {
        try (EmbeddedPostgres database = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start()) {
            try (ServerProcess server = server(database);
                    Connection connection = client.connect(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (a INT) PARTITIONED BY (p INT) STORED AS ORC");
                for (int i = 0; i < WITH_ROWS; i++) {
                    statement.execute("INSERT INTO t PARTITION (p = " + i + ") VALUES (" + (10 + i) + ")");
                }
                statement.execute("ALTER TABLE t ADD PARTITION (p = " + WITH_ROWS + ")");
            }
            addPartitions(database);
            try (ServerProcess server = server(database);
                    Connection connection = client.connect(server.url());
                    Statement statement = connection.createStatement()) {
                ask(statement, "SELECT sum(a) FROM t WHERE p = 1", "11");
                ask(statement, "SELECT sum(a) FROM t WHERE p < 100", "33");
                ask(statement, "SELECT sum(a) FROM t", "33");
                ask(statement, "SELECT sum(a + 1) FROM t", "36");
                long start = System.nanoTime();
                assertThat(ReleasedClient.countRows(statement, "SHOW PARTITIONS t"))
                        .isEqualTo(PARTITIONS);
                print("SHOW PARTITIONS", start);
            }
            try (ServerProcess server = server(database)) {
                for (int i = 1; i <= 5; i++) {
                    cancel(server, (FULL ? 1000L : 100L) * i);
                }
            }
        }
    }

    private ServerProcess server(EmbeddedPostgres database) throws Exception {
        return ServerProcess.start(
                Files.createDirectories(folder.resolve("data")),
                Map.of(
                        "javax.jdo.option.ConnectionURL",
                        database.getJdbcUrl("postgres", "postgres"),
                        "hive.metastore.warehouse.dir",
                        "file:" + folder.resolve("warehouse")));
    }

    private void addPartitions(EmbeddedPostgres database) throws Exception {
        try (Connection connection = database.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(copies());
            statement.execute("ANALYZE");
        }
        for (int i = WITH_ROWS + 1; i < PARTITIONS; i++) {
            Files.createDirectory(folder.resolve("warehouse/t/p=" + i));
        }
    }

    /** Returns SQL that copies the last partition that a server has created, in the tables of the metastore. */
    private static String copies() {
        return """
            CREATE TEMPORARY TABLE numbers AS SELECT generate_series(%1$d, %2$d) AS n;
            CREATE TEMPORARY TABLE last AS SELECT * FROM "PARTITIONS" WHERE "PART_NAME" = 'p=%3$d';
            INSERT INTO "SERDES" ("SERDE_ID", "NAME", "SLIB")
                SELECT 1000000 + n, s."NAME", s."SLIB" FROM numbers, last
                JOIN "SDS" USING ("SD_ID") JOIN "SERDES" s USING ("SERDE_ID");
            INSERT INTO "SERDE_PARAMS" ("SERDE_ID", "PARAM_KEY", "PARAM_VALUE")
                SELECT 1000000 + n, s."PARAM_KEY", s."PARAM_VALUE" FROM numbers, last
                JOIN "SDS" USING ("SD_ID") JOIN "SERDE_PARAMS" s USING ("SERDE_ID");
            INSERT INTO "SDS" ("SD_ID", "INPUT_FORMAT", "IS_COMPRESSED", "LOCATION", "NUM_BUCKETS", "OUTPUT_FORMAT",
                    "SERDE_ID", "CD_ID", "IS_STOREDASSUBDIRECTORIES")
                SELECT 1000000 + n, d."INPUT_FORMAT", d."IS_COMPRESSED", replace(d."LOCATION", 'p=%3$d', 'p=' || n),
                    d."NUM_BUCKETS", d."OUTPUT_FORMAT", 1000000 + n, d."CD_ID", d."IS_STOREDASSUBDIRECTORIES"
                FROM numbers, last JOIN "SDS" d USING ("SD_ID");
            INSERT INTO "PARTITIONS" ("PART_ID", "CREATE_TIME", "LAST_ACCESS_TIME", "PART_NAME", "SD_ID", "TBL_ID",
                    "WRITE_ID")
                SELECT 1000000 + n, "CREATE_TIME", "LAST_ACCESS_TIME", 'p=' || n, 1000000 + n, "TBL_ID", "WRITE_ID"
                FROM numbers, last;
            INSERT INTO "PARTITION_KEY_VALS" ("PART_ID", "PART_KEY_VAL", "INTEGER_IDX")
                SELECT 1000000 + n, n, 0 FROM numbers;
            INSERT INTO "PARTITION_PARAMS" ("PART_ID", "PARAM_KEY", "PARAM_VALUE")
                SELECT 1000000 + n, s."PARAM_KEY", s."PARAM_VALUE" FROM numbers, last
                JOIN "PARTITION_PARAMS" s USING ("PART_ID");
            """.formatted(WITH_ROWS + 1, PARTITIONS - 1, WITH_ROWS);
    }

    private static void ask(Statement statement, String query, String answer) throws SQLException {
        long start = System.nanoTime();
        try (ResultSet rows = statement.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).as(query).isEqualTo(answer);
        }
        print(query, start);
    }

    /** A statement that is cancelled at any point ends, and so does its work in the server. */
    private void cancel(ServerProcess server, long afterMillis) throws Exception {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // The server invalidates the partitions, so that each statement reads them again.
            statement.execute("ALTER TABLE t SET TBLPROPERTIES ('asked' = '" + afterMillis + "')");
            Future<String> asked = threads.submit(() -> {
                try {
                    return ReleasedClient.countRows(statement, "SELECT a + 1 FROM t") + " rows";
                } catch (SQLException e) {
                    return String.valueOf(e.getMessage());
                }
            });
            LockSupport.parkNanos(afterMillis * 1_000_000);
            long start = System.nanoTime();
            try {
                statement.cancel();
            } catch (SQLException e) {
                // The driver has closed the operation meanwhile, because all rows have been read.
                assertThat(asked.get()).as(String.valueOf(e.getMessage())).isEqualTo(WITH_ROWS + " rows");
            }
            assertThat(asked.get()).containsAnyOf("cancel", WITH_ROWS + " rows");
            print("cancelled after " + afterMillis + " ms: " + asked.get(), start);
        }
    }

    private static void print(String what, long start) {
        if (FULL) {
            System.out.printf("%,d partitions: %s: %d ms%n", PARTITIONS, what, (System.nanoTime() - start) / 1_000_000);
        }
    }
}
