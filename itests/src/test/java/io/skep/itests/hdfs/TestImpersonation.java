package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.skep.itests.server.AuthorizedServer;
import io.skep.storage.file.FilePermissions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code hive.server2.enable.doAs=true}: users need the permissions of HDFS, and own what they write. */
@ExtendWith(SharedHdfsServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
final class TestImpersonation {
    private static final String WAREHOUSE = "/impersonation-test";

    private FileSystem hdfs;
    private AuthorizedServer server;

    @BeforeAll
    void start(HdfsServer shared, @TempDir java.nio.file.Path folder) throws Exception {
        hdfs = shared.hadoop().client();
        folder(WAREHOUSE, "hive", 01777);
        Map<String, String> site = new HashMap<>(HdfsServer.settings(shared.hadoop()));
        site.put("hive.metastore.warehouse.dir", WAREHOUSE);
        site.put("hive.security.authorization.enabled", "false");
        site.put("hive.server2.enable.doAs", "true");
        server = AuthorizedServer.start(folder, List.of("alice", "bob", "dan"), "opens it", site);
        run("alice", "CREATE DATABASE of_alice");
        run("bob", "CREATE DATABASE of_bob");
    }

    @AfterAll
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
        hdfs.close();
    }

    private void folder(String path, String owner, int permission) throws IOException {
        hdfs.mkdirs(new Path(path));
        hdfs.setOwner(new Path(path), owner, owner);
        permit(path, permission);
    }

    private void file(String path, String owner, int permission, String text) throws IOException {
        try (FSDataOutputStream out = hdfs.create(new Path(path))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        hdfs.setOwner(new Path(path), owner, owner);
        permit(path, permission);
    }

    private void permit(String path, int permission) throws IOException {
        hdfs.setPermission(new Path(path), new FsPermission((short) permission));
    }

    private void run(String user, String sql) throws SQLException {
        try (Connection connection = server.connect(user)) {
            AuthorizedServer.run(connection, sql);
        }
    }

    private List<String> rows(String user, String sql) throws SQLException {
        try (Connection connection = server.connect(user);
                Statement statement = connection.createStatement()) {
            return Queries.rows(statement, sql);
        }
    }

    private void assertDenied(String user, String sql, String access) {
        assertThatThrownBy(() -> run(user, sql), sql)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Permission denied: user=" + user + ", access=" + access);
    }

    private static String place(String table) {
        return WAREHOUSE + "/of_alice.db/" + table;
    }

    /** Returns a folder's files and folders, at any depth, with the folder. */
    private List<FileStatus> below(String folder) throws IOException {
        List<FileStatus> found = new ArrayList<>(List.of(hdfs.getFileStatus(new Path(folder))));
        for (FileStatus entry : hdfs.listStatus(new Path(folder))) {
            if (entry.isDirectory()) {
                found.addAll(below(entry.getPath().toUri().getPath()));
            } else {
                found.add(entry);
            }
        }
        return found;
    }

    private void assertAllOf(String owner, String folder) throws IOException {
        assertThat(below(folder))
                .allSatisfy(entry -> assertThat(entry.getOwner())
                        .as(entry.getPath().toString())
                        .isEqualTo(owner));
    }

    private List<String> files(String folder) throws IOException {
        List<String> files = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> found = hdfs.listFiles(new Path(folder), true);
        while (found.hasNext()) {
            files.add(found.next().getPath().toString());
        }
        return files;
    }

    @Test
    void usersOwnWhatTheyWrite() throws Exception {
        run("alice", "CREATE TABLE of_alice.plain (a INT)");
        run("alice", "INSERT INTO of_alice.plain VALUES (1), (2)");
        run("alice", "CREATE TABLE of_alice.parts (a INT) PARTITIONED BY (p INT, q STRING)");
        run("alice", "INSERT INTO of_alice.parts SELECT a, a, 'x' FROM of_alice.plain");
        run("alice", "ALTER TABLE of_alice.parts ADD PARTITION (p = 9, q = 'y')");
        run("alice", "INSERT OVERWRITE TABLE of_alice.parts PARTITION (p = 9, q = 'y') VALUES (9)");
        run("alice", "CREATE TABLE of_alice.copied STORED AS PARQUET AS SELECT * FROM of_alice.plain");
        run("alice", "CREATE TABLE of_alice.changed (a INT) STORED AS ORC TBLPROPERTIES ('transactional'='true')");
        run("alice", "INSERT INTO of_alice.changed VALUES (1), (2)");
        run("alice", "UPDATE of_alice.changed SET a = 3 WHERE a = 2");
        folder("/home-of-alice", "alice", 0700);
        run("alice", "INSERT OVERWRITE DIRECTORY '/home-of-alice/out/deep' SELECT 7");
        assertThat(files(place("parts"))).hasSize(3);
        assertThat(files(place("copied"))).isNotEmpty();
        assertAllOf("alice", WAREHOUSE + "/of_alice.db");
        assertAllOf("alice", "/home-of-alice");
        assertThat(rows("alice", "SELECT a FROM of_alice.changed ORDER BY a")).containsExactly("1", "3");
    }

    @Test
    void queriesNeedReadableFolders() throws Exception {
        run("alice", "CREATE TABLE of_alice.closed (a INT)");
        run("alice", "INSERT INTO of_alice.closed VALUES (1)");
        assertThat(rows("bob", "SELECT a FROM of_alice.closed")).containsExactly("1");
        run("alice", "CREATE TABLE of_alice.secret (a INT)");
        run("alice", "INSERT INTO of_alice.secret VALUES (1)");
        permit(place("secret"), 0700);
        // The second user finds the plan of the first.
        assertThat(rows("alice", "SELECT a FROM of_alice.secret")).containsExactly("1");
        assertDenied("bob", "SELECT a FROM of_alice.secret", "READ_EXECUTE");
        assertThat(rows("alice", "SELECT count(*) FROM of_alice.secret")).containsExactly("1");
        assertDenied("bob", "SELECT count(*) FROM of_alice.secret", "READ_EXECUTE");
        assertDenied("bob", "SELECT max(a) FROM of_alice.secret", "READ_EXECUTE");
        assertDenied("bob", "CREATE TABLE of_bob.stolen AS SELECT * FROM of_alice.secret", "READ_EXECUTE");
        assertThat(rows("bob", "SHOW TABLES IN of_bob LIKE 'stolen'")).isEmpty();
        run("alice", "CREATE VIEW of_alice.shown AS SELECT a FROM of_alice.secret");
        assertDenied("bob", "SELECT * FROM of_alice.shown", "READ_EXECUTE");
        assertDenied("bob", "SELECT get_splits('SELECT a FROM of_alice.secret', 1)", "READ_EXECUTE");
    }

    @Test
    void systemTablesHaveNoFilesOfTheUser() throws Exception {
        String query = "SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'of_alice'";
        assertThat(rows("bob", query)).containsExactly("of_alice");
        assertThat(rows("bob", "SELECT max(name) FROM sys.dbs WHERE name = 'of_alice'"))
                .containsExactly("of_alice");
        assertThat(rows("bob", "DESCRIBE sys.cds")).hasSize(1);
    }

    @Test
    void queriesNeedThePartitionsThatTheyRead() throws Exception {
        run("alice", "CREATE TABLE of_alice.days (a INT) PARTITIONED BY (d INT)");
        run("alice", "INSERT INTO of_alice.days VALUES (1, 1), (2, 2)");
        permit(place("days") + "/d=2", 0700);
        assertThat(rows("bob", "SELECT a FROM of_alice.days WHERE d = 1")).containsExactly("1");
        assertDenied("bob", "SELECT a FROM of_alice.days WHERE d = 2", "READ_EXECUTE");
        assertDenied("bob", "SELECT a FROM of_alice.days", "READ_EXECUTE");
    }

    @Test
    void queriesNeedReadableFiles() throws Exception {
        folder("/shared-files", "alice", 0755);
        file("/shared-files/open", "alice", 0644, "1\n");
        run("alice", "CREATE EXTERNAL TABLE of_alice.files (a INT) STORED AS TEXTFILE LOCATION '/shared-files'");
        assertThat(rows("bob", "SELECT a FROM of_alice.files")).containsExactly("1");
        file("/shared-files/own", "alice", 0600, "2\n");
        assertDenied("bob", "SELECT a FROM of_alice.files", "READ");
        assertThat(rows("alice", "SELECT a FROM of_alice.files ORDER BY a")).containsExactly("1", "2");
    }

    /** The file that has the rows of others belongs to the user. */
    @Test
    void concatenationNeedsReadableFiles() throws Exception {
        run("alice", "CREATE TABLE of_alice.row_groups (a INT) STORED AS RCFILE");
        run("alice", "INSERT INTO of_alice.row_groups VALUES (1)");
        run("alice", "INSERT INTO of_alice.row_groups VALUES (2)");
        permit(place("row_groups"), 0777);
        List<String> before = files(place("row_groups"));
        assertThat(before).hasSize(2);
        for (String file : before) {
            permit(file, 0600);
        }
        assertDenied("bob", "ALTER TABLE of_alice.row_groups CONCATENATE", "READ");
        assertThat(files(place("row_groups"))).isEqualTo(before);
        run("alice", "ALTER TABLE of_alice.row_groups CONCATENATE");
        assertThat(files(place("row_groups"))).hasSize(1);
        assertThat(rows("alice", "SELECT a FROM of_alice.row_groups ORDER BY a"))
                .containsExactly("1", "2");
        assertAllOf("alice", place("row_groups"));
    }

    @Test
    void changesNeedWritableFolders() throws Exception {
        run("alice", "CREATE TABLE of_alice.kept (a INT) PARTITIONED BY (p INT)");
        run("alice", "INSERT INTO of_alice.kept VALUES (1, 1)");
        List<String> before = files(place("kept"));
        for (String sql : List.of(
                "INSERT INTO of_alice.kept VALUES (2, 1)",
                "INSERT OVERWRITE TABLE of_alice.kept PARTITION (p = 1) VALUES (2)",
                "TRUNCATE TABLE of_alice.kept",
                "ALTER TABLE of_alice.kept ADD PARTITION (p = 2)",
                "ALTER TABLE of_alice.kept DROP PARTITION (p = 1)",
                "ALTER TABLE of_alice.kept RENAME TO of_bob.taken",
                "DROP TABLE of_alice.kept",
                "CREATE TABLE of_alice.other (a INT)",
                "DROP DATABASE of_alice CASCADE")) {
            assertDenied("bob", sql, "WRITE_EXECUTE");
        }
        assertThat(files(place("kept"))).isEqualTo(before);
        assertThat(rows("alice", "SELECT a FROM of_alice.kept")).containsExactly("1");
        permit(place("kept"), 0777);
        assertDenied("bob", "INSERT INTO of_alice.kept VALUES (2, 1)", "WRITE_EXECUTE");
        run("bob", "INSERT INTO of_alice.kept VALUES (2, 2)");
        assertAllOf("bob", place("kept") + "/p=2");
    }

    @Test
    void newTablesNeedTheManagedLocationOfTheirDatabase() throws Exception {
        folder("/impersonation-managed", "alice", 0755);
        run(
                "alice",
                "CREATE DATABASE placed LOCATION '" + WAREHOUSE + "/placed.db' MANAGEDLOCATION"
                        + " '/impersonation-managed/placed'");
        permit(WAREHOUSE + "/placed.db", 0777);
        assertDenied("bob", "CREATE TABLE placed.t (a INT)", "WRITE_EXECUTE");
        run("alice", "CREATE TABLE placed.t (a INT)");
        assertAllOf("alice", "/impersonation-managed/placed");
    }

    @Test
    void partitionsInFoldersOfOthersStay() throws Exception {
        folder("/located", "alice", 0755);
        folder("/located/rows", "alice", 0755);
        file("/located/rows/000000_0", "alice", 0644, "1\n");
        run("bob", "CREATE TABLE of_bob.reaching (a INT) PARTITIONED BY (p INT) STORED AS TEXTFILE");
        run("bob", "CREATE TABLE of_bob.taking (a INT) PARTITIONED BY (p INT) STORED AS TEXTFILE");
        run("bob", "ALTER TABLE of_bob.reaching ADD PARTITION (p = 1) LOCATION '/located/rows'");
        assertThat(rows("bob", "SELECT a FROM of_bob.reaching")).containsExactly("1");
        for (String sql : List.of(
                "TRUNCATE TABLE of_bob.reaching",
                "ALTER TABLE of_bob.reaching DROP PARTITION (p = 1)",
                "ALTER TABLE of_bob.taking EXCHANGE PARTITION (p = 1) WITH TABLE of_bob.reaching",
                "INSERT OVERWRITE TABLE of_bob.reaching PARTITION (p = 1) SELECT 2",
                "INSERT INTO of_bob.reaching PARTITION (p = 1) SELECT 2",
                "DROP TABLE of_bob.reaching")) {
            assertDenied("bob", sql, "WRITE_EXECUTE");
        }
        // The folder of a partition outside of its table's folder keeps its name.
        run("bob", "ALTER TABLE of_bob.reaching PARTITION (p = 1) RENAME TO PARTITION (p = 2)");
        assertThat(rows("bob", "SELECT a, p FROM of_bob.reaching")).containsExactly("1 2");
        assertThat(files("/located/rows")).hasSize(1);
        run("bob", "ALTER TABLE of_bob.reaching PARTITION (p = 2) RENAME TO PARTITION (p = 1)");
        // Deleting the folder changes the one that holds it.
        permit("/located/rows", 0777);
        assertDenied("bob", "ALTER TABLE of_bob.reaching DROP PARTITION (p = 1)", "WRITE_EXECUTE");
        assertThat(rows("bob", "SELECT a FROM of_bob.reaching WHERE p = 1")).containsExactly("1");
        permit("/located", 01777);
        assertDenied("bob", "ALTER TABLE of_bob.reaching DROP PARTITION (p = 1)", "DELETE");
        // A partition whose folder is gone does not hide another one.
        folder("/located/gone", "bob", 0755);
        run("bob", "ALTER TABLE of_bob.reaching ADD PARTITION (p = 0) LOCATION '/located/gone'");
        hdfs.delete(new Path("/located/gone"), true);
        assertDenied("bob", "ALTER TABLE of_bob.reaching DROP PARTITION (p <= 1)", "DELETE");
        assertThat(files("/located/rows")).hasSize(1);
        permit("/located", 0777);
        run("bob", "ALTER TABLE of_bob.reaching DROP PARTITION (p = 1)");
        assertThat(hdfs.exists(new Path("/located/rows"))).isFalse();
    }

    @Test
    void transactionalPartitionsTakeOnlyFilesThatMayBeMoved() throws Exception {
        folder("/offered", "alice", 0755);
        run("alice", "CREATE TABLE of_alice.model (a INT) STORED AS ORC LOCATION '/offered/rows'");
        run("alice", "INSERT INTO of_alice.model VALUES (1)");
        run(
                "bob",
                "CREATE TABLE of_bob.history (a INT) PARTITIONED BY (p INT) STORED AS ORC"
                        + " TBLPROPERTIES ('transactional'='true')");
        folder("/offered/copy", "alice", 0755);
        String copy = "/offered/copy/000000_0";
        Path source = new Path(files("/offered/rows").getFirst());
        FileUtil.copy(hdfs, source, hdfs, new Path(copy), false, hdfs.getConf());
        String add = "ALTER TABLE of_bob.history ADD PARTITION (p = 1) LOCATION '/offered/copy'";
        assertDenied("bob", add, "WRITE_EXECUTE");
        assertThat(hdfs.exists(new Path(copy))).isTrue();
        permit("/offered/copy", 01777);
        assertDenied("bob", add, "DELETE");
        assertThat(hdfs.exists(new Path(copy))).isTrue();
        permit("/offered/copy", 0777);
        run("bob", add);
        assertThat(rows("bob", "SELECT a, p FROM of_bob.history")).containsExactly("1 1");
        run("bob", "TRUNCATE TABLE of_bob.history");
        assertThat(rows("bob", "SELECT a, p FROM of_bob.history")).isEmpty();
    }

    @Test
    void temporaryTablesBelongToUsers() throws Exception {
        folder("/desk-of-alice", "alice", 0755);
        folder("/desk-of-alice/empty", "alice", 0755);
        folder("/inbox-of-bob", "bob", 0755);
        file("/inbox-of-bob/rows", "bob", 0644, "3\n");
        assertDenied(
                "bob",
                "CREATE TEMPORARY TABLE taken (a INT) STORED AS TEXTFILE LOCATION '/desk-of-alice/empty'",
                "WRITE_EXECUTE");
        assertThat(hdfs.exists(new Path("/desk-of-alice/empty"))).isTrue();
        try (Connection connection = server.connect("bob");
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(
                    "CREATE TEMPORARY TABLE own (a INT) STORED AS TEXTFILE",
                    "INSERT INTO own VALUES (1)",
                    "LOAD DATA INPATH '/inbox-of-bob/rows' INTO TABLE own",
                    "CREATE TEMPORARY TABLE copied AS SELECT a + 1 AS a FROM own",
                    "CREATE TEMPORARY TABLE parts (a INT) PARTITIONED BY (p INT)",
                    "INSERT INTO parts PARTITION (p) SELECT a, a FROM own",
                    "ALTER TABLE parts DROP PARTITION (p = 1)",
                    "ALTER TABLE parts PARTITION (p = 3) RENAME TO PARTITION (p = 4)")) {
                statement.execute(sql);
            }
            assertThat(Queries.rows(statement, "SELECT a FROM own ORDER BY a")).containsExactly("1", "3");
            assertThat(Queries.rows(statement, "SELECT a FROM copied ORDER BY a"))
                    .containsExactly("2", "4");
            assertThat(Queries.rows(statement, "SELECT a, p FROM parts")).containsExactly("3 4");
            statement.execute("TRUNCATE TABLE own");
            assertThat(Queries.rows(statement, "SELECT count(*) FROM own")).containsExactly("0");
        }
    }

    @Test
    void loadNeedsTheFiles() throws Exception {
        folder("/inbox", "alice", 0755);
        file("/inbox/rows", "alice", 0644, "1\n");
        run("bob", "CREATE TABLE of_bob.loaded (a INT) STORED AS TEXTFILE");
        assertDenied("bob", "LOAD DATA INPATH '/inbox/rows' INTO TABLE of_bob.loaded", "WRITE_EXECUTE");
        assertThat(hdfs.exists(new Path("/inbox/rows"))).isTrue();
        file("/inbox/closed", "alice", 0600, "1\n");
        permit("/inbox", 0777);
        assertDenied("bob", "LOAD DATA INPATH '/inbox/closed' INTO TABLE of_bob.loaded", "READ");
        run("bob", "LOAD DATA INPATH '/inbox/rows' INTO TABLE of_bob.loaded");
        assertThat(rows("bob", "SELECT a FROM of_bob.loaded")).containsExactly("1");
    }

    @Test
    void permissionsThatAreTakenAwayEnd() throws Exception {
        run("alice", "CREATE TABLE of_alice.ending (a INT)");
        run("alice", "INSERT INTO of_alice.ending VALUES (1)");
        assertThat(rows("bob", "SELECT a FROM of_alice.ending")).containsExactly("1");
        permit(place("ending"), 0700);
        await().atMost(FilePermissions.KEPT.plus(Duration.ofMinutes(1)))
                .untilAsserted(() -> assertDenied("bob", "SELECT a FROM of_alice.ending", "READ_EXECUTE"));
    }

    @Test
    void serverMustBeAllowedToActForTheUser() {
        assertThatThrownBy(() -> run("dan", "CREATE DATABASE of_dan"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("HDFS does not say what dan may do")
                .hasMessageContaining("hadoop.proxyuser");
    }

    @Test
    void sessionsCannotTurnItOff() {
        assertThatThrownBy(() -> run("bob", "SET hive.server2.enable.doAs=false"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Cannot modify hive.server2.enable.doAs at runtime");
    }
}
