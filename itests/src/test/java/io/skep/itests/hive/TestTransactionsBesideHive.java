package io.skep.itests.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Skep and Hive run at the same time over one PostgreSQL database and one warehouse, and change the same transactional
 * tables. docs/testing/hive-round-trip.md says how to run it.
 */
@EnabledIfSystemProperty(named = "skep.hive.home", matches = ".+")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 1, unit = java.util.concurrent.TimeUnit.HOURS)
final class TestTransactionsBesideHive {
    private static final int INCREMENTS = 10;

    private ReleasedClient client;
    private EmbeddedPostgres database;
    private ServerProcess skep;
    private HiveProcess hive;

    /** An engine, by a connection of its own. */
    private record Engine(String name, Connection connection) {
        void run(String text) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(text);
            }
        }

        List<String> rows(String query) throws SQLException {
            List<String> rows = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet results = statement.executeQuery(query)) {
                int width = results.getMetaData().getColumnCount();
                while (results.next()) {
                    List<String> values = new ArrayList<>();
                    for (int column = 1; column <= width; column++) {
                        values.add(String.valueOf(results.getString(column)));
                    }
                    rows.add(String.join("|", values));
                }
            }
            return rows;
        }
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        client = ReleasedClient.open();
        database = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start();
        Map<String, String> site = Map.of(
                "javax.jdo.option.ConnectionURL",
                database.getJdbcUrl("postgres", "postgres"),
                "javax.jdo.option.ConnectionDriverName",
                "org.postgresql.Driver",
                "javax.jdo.option.ConnectionUserName",
                "postgres",
                "javax.jdo.option.ConnectionPassword",
                "postgres",
                "hive.metastore.warehouse.dir",
                "file:" + folder.resolve("warehouse"),
                "hive.metastore.warehouse.external.dir",
                "file:" + folder.resolve("warehouse"));
        Path data = Files.createDirectories(folder.resolve("data"));
        skep = ServerProcess.start(data, site);
        Map<String, String> ofHive = new HashMap<>(site);
        ofHive.put("hive.support.concurrency", "true");
        ofHive.put("hive.txn.manager", "org.apache.hadoop.hive.ql.lockmgr.DbTxnManager");
        hive = HiveProcess.start(
                Path.of(System.getProperty("skep.hive.home")),
                System.getProperty("skep.hive.java", "java"),
                data,
                Files.createDirectories(folder.resolve("hive")),
                ofHive);
    }

    @AfterAll
    void stop() throws Exception {
        if (hive != null) {
            hive.close();
        }
        if (skep != null) {
            skep.close();
        }
        if (database != null) {
            database.close();
        }
        client.close();
    }

    private Engine skep() throws SQLException {
        return new Engine("Skep", client.connect(skep.url()));
    }

    private Engine hive() throws SQLException {
        return new Engine("Hive", client.connect(hive.url()));
    }

    /** Runs a statement on an engine, and compares what both answer. */
    private static void step(Engine engine, List<Engine> both, String statement, String query, String... rows)
            throws SQLException {
        engine.run(statement);
        for (Engine asked : both) {
            assertThat(asked.rows(query))
                    .as("%s after %s has run %s", asked.name(), engine.name(), statement)
                    .containsExactly(rows);
        }
    }

    @Test
    void eachChangesRowsOfTheOther() throws Exception {
        Engine skep = skep();
        Engine hive = hive();
        List<Engine> both = List.of(skep, hive);
        try (Connection _ = skep.connection();
                Connection _ = hive.connection()) {
            for (Engine maker : both) {
                Engine other = maker.equals(skep) ? hive : skep;
                String table = "changed_by_" + maker.name();
                String all = "select a, b, p from " + table + " order by a";
                maker.run("create table " + table + " (a int, b string) partitioned by (p int) stored as orc"
                        + " tblproperties ('transactional'='true')");
                step(maker, both, "insert into " + table + " values (1,'x',1),(2,'y',2)", all, "1|x|1", "2|y|2");
                step(other, both, "insert into " + table + " values (3,'z',1)", all, "1|x|1", "2|y|2", "3|z|1");
                step(maker, both, "update " + table + " set b = 'u' where a >= 2", all, "1|x|1", "2|u|2", "3|u|1");
                step(other, both, "delete from " + table + " where a = 1", all, "2|u|2", "3|u|1");
                step(other, both, "update " + table + " set b = 'o' where a = 3", all, "2|u|2", "3|o|1");
                step(
                        maker,
                        both,
                        "merge into " + table + " t using (select 3 k union all select 9) s on t.a = s.k"
                                + " when matched then update set b = 'm'"
                                + " when not matched then insert values (s.k, 'n', 3)",
                        all,
                        "2|u|2",
                        "3|m|1",
                        "9|n|3");
                step(
                        other,
                        both,
                        "insert overwrite table " + table + " partition (p = 1) select 4, 'w'",
                        all,
                        "2|u|2",
                        "4|w|1",
                        "9|n|3");
                String identity = "select row__id, a from " + table + " order by a";
                assertThat(other.rows(identity)).isEqualTo(maker.rows(identity));
            }
        }
    }

    @Test
    void insertOnlyTablesAreShared() throws Exception {
        Engine skep = skep();
        Engine hive = hive();
        List<Engine> both = List.of(skep, hive);
        try (Connection _ = skep.connection();
                Connection _ = hive.connection()) {
            for (Engine maker : both) {
                Engine other = maker.equals(skep) ? hive : skep;
                String table = "inserted_by_" + maker.name();
                String all = "select a from " + table + " order by a";
                maker.run("create table " + table + " (a int) stored as parquet tblproperties"
                        + " ('transactional'='true', 'transactional_properties'='insert_only')");
                step(maker, both, "insert into " + table + " values (1)", all, "1");
                step(other, both, "insert into " + table + " values (2)", all, "1", "2");
                step(other, both, "insert overwrite table " + table + " select 7", all, "7");
                step(maker, both, "insert into " + table + " values (8)", all, "7", "8");
            }
        }
    }

    /** Each increment that succeeds counts once, whichever engine has made it. */
    @Test
    void noUpdateIsLost() throws Exception {
        Engine first = skep();
        try (Connection _ = first.connection()) {
            first.run("create table counted (k int, n int) stored as orc tblproperties ('transactional'='true')");
            first.run("insert into counted values (1, 0)");
            int done = 0;
            try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
                List<Future<Integer>> clients = List.of(
                        threads.submit(() -> increments(skep())),
                        threads.submit(() -> increments(skep())),
                        threads.submit(() -> increments(hive())));
                for (Future<Integer> each : clients) {
                    done += each.get();
                }
            }
            assertThat(done).isGreaterThanOrEqualTo(INCREMENTS);
            assertThat(first.rows("select k, n from counted")).containsExactly("1|" + done);
            Engine last = hive();
            try (Connection _ = last.connection()) {
                assertThat(last.rows("select k, n from counted")).containsExactly("1|" + done);
            }
            assertThat(first.rows("show locks counted").stream().filter(row -> !row.startsWith("Lock")))
                    .isEmpty();
        }
    }

    private static int increments(Engine engine) throws SQLException {
        int done = 0;
        try (Connection _ = engine.connection()) {
            for (int i = 0; i < INCREMENTS; i++) {
                try {
                    engine.run("update counted set n = n + 1 where k = 1");
                    done++;
                } catch (SQLException e) {
                    // A write conflict: another one has changed the row first.
                    assertThat(e.getMessage()).containsIgnoringCase("conflict");
                }
            }
        }
        return done;
    }
}
