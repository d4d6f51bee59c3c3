package io.skep.itests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.server.AuthorizedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Paths of statements while authorization is on: what HDFS lets a user do with a path, the server does for it. */
@ExtendWith(SharedHdfsServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
final class TestPathPrivileges {
    private static final List<String> USERS = List.of("alice", "bob", "dan");

    private FileSystem hdfs;
    private AuthorizedServer server;

    @BeforeAll
    void start(HdfsServer shared, @TempDir java.nio.file.Path folder) throws Exception {
        hdfs = shared.hadoop().client();
        Map<String, String> site = new HashMap<>(HdfsServer.settings(shared.hadoop()));
        site.put("hive.metastore.warehouse.dir", "/paths-test");
        server = AuthorizedServer.start(folder, List.of("alice", "bob", "dan", "root"), "opens it", site);
        try (Connection root = server.connect("root")) {
            AuthorizedServer.run(root, "SET ROLE admin");
            for (String user : USERS) {
                AuthorizedServer.run(root, "CREATE DATABASE of_" + user);
                AuthorizedServer.run(root, "ALTER DATABASE of_" + user + " SET OWNER USER " + user);
                folder("/home/" + user, user, 0700);
            }
        }
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
        own(path, owner, permission);
    }

    private void file(String path, String owner, int permission, String text) throws IOException {
        try (FSDataOutputStream out = hdfs.create(new Path(path))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        own(path, owner, permission);
    }

    private void own(String path, String owner, int permission) throws IOException {
        hdfs.setOwner(new Path(path), owner, owner);
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

    private void assertDenied(String user, String sql, String missing) {
        assertThatThrownBy(() -> run(user, sql))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Principal [name=" + user + ", type=USER] does not have following privileges")
                .hasMessageContaining(
                        "[[" + missing + "] on Object [type=" + (sql.contains("file:") ? "LOCAL_URI" : "DFS_URI"));
    }

    @Test
    void ownersMakeTablesOverTheirFiles() throws Exception {
        folder("/home/alice/t", "alice", 0700);
        file("/home/alice/t/rows", "alice", 0600, "1\n2\n");
        run("alice", "CREATE EXTERNAL TABLE of_alice.t (a INT) STORED AS TEXTFILE LOCATION '/home/alice/t'");
        assertThat(rows("alice", "SELECT a FROM of_alice.t ORDER BY a")).containsExactly("1", "2");
        assertDenied(
                "bob",
                "CREATE EXTERNAL TABLE of_bob.t (a INT) STORED AS TEXTFILE LOCATION '/home/alice/t'",
                "SELECT, INSERT, DELETE");
        assertDenied(
                "bob",
                "CREATE EXTERNAL TABLE of_bob.t (a INT) LOCATION '/home/bob/../alice/t'",
                "SELECT, INSERT, DELETE");
    }

    @Test
    void newFoldersHaveTheRightsOfTheirParent() throws Exception {
        run("bob", "CREATE EXTERNAL TABLE of_bob.fresh (a INT) LOCATION '/home/bob/x/y'");
        run("bob", "INSERT INTO of_bob.fresh VALUES (5)");
        assertThat(rows("bob", "SELECT a FROM of_bob.fresh")).containsExactly("5");
        assertDenied(
                "bob", "CREATE EXTERNAL TABLE of_bob.u (a INT) LOCATION '/home/alice/x/y'", "SELECT, INSERT, DELETE");
        assertDenied("bob", "CREATE EXTERNAL TABLE of_bob.u (a INT) LOCATION '/new'", "INSERT, DELETE");
    }

    @Test
    void filesOfOthersBelowCount() throws Exception {
        folder("/home/alice/mixed", "alice", 0755);
        file("/home/alice/mixed/own", "alice", 0644, "1\n");
        file("/home/alice/mixed/of-bob", "bob", 0600, "2\n");
        assertDenied(
                "alice",
                "CREATE EXTERNAL TABLE of_alice.mixed (a INT) LOCATION '/home/alice/mixed'",
                "SELECT, INSERT, DELETE");
    }

    @Test
    void readableFilesCanNotBeMoved() throws Exception {
        folder("/open", "alice", 0755);
        file("/open/rows", "alice", 0644, "7\n");
        run("bob", "CREATE TABLE of_bob.loaded (a INT) STORED AS TEXTFILE");
        assertDenied("bob", "LOAD DATA INPATH '/open/rows' INTO TABLE of_bob.loaded", "INSERT, DELETE");
        assertThat(hdfs.exists(new Path("/open/rows"))).isTrue();
        file("/home/bob/rows", "bob", 0600, "8\n");
        run("bob", "LOAD DATA INPATH '/home/bob/rows' INTO TABLE of_bob.loaded");
        assertThat(rows("bob", "SELECT a FROM of_bob.loaded")).containsExactly("8");
    }

    @Test
    void foldersAreWrittenByWhomTheyBelongTo() throws Exception {
        run("alice", "INSERT OVERWRITE DIRECTORY '/home/alice/out' SELECT 9");
        assertThat(hdfs.listStatus(new Path("/home/alice/out"))).isNotEmpty();
        assertDenied("bob", "INSERT OVERWRITE DIRECTORY '/home/alice/out' SELECT 9", "SELECT, INSERT, DELETE");
    }

    /** Hive's class would read the name as a pattern, and look at another folder. */
    @Test
    void patternsAreForAdmins() throws Exception {
        folder("/home/bob/one", "bob", 0700);
        assertDenied(
                "bob", "CREATE EXTERNAL TABLE of_bob.p (a INT) LOCATION '/home/bob/on{e}'", "SELECT, INSERT, DELETE");
    }

    @Test
    void localFilesAreForAdmins(@TempDir java.nio.file.Path folder) {
        assertDenied(
                "bob",
                "CREATE EXTERNAL TABLE of_bob.l (a INT) LOCATION 'file:" + folder + "'",
                "SELECT, INSERT, DELETE");
    }

    @Test
    void serverMustBeAllowedToAsk() {
        assertThatThrownBy(() -> run("dan", "CREATE EXTERNAL TABLE of_dan.t (a INT) LOCATION '/home/dan/t'"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("HDFS does not say what dan may do with /home/dan/t")
                .hasMessageContaining("hadoop.proxyuser");
    }
}
