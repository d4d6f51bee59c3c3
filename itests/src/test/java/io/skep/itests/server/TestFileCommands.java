package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The command dfs: what it prints and changes, and the files, commands and servers that it is refused for. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestFileCommands {
    private final TestServer server = TestServer.start(Map.of("skep.dfs.enabled", "true"));
    private final ReleasedClient client;

    @TempDir
    Path folder;

    TestFileCommands() throws Exception {
        client = ReleasedClient.open();
    }

    @AfterAll
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private List<String> rows(String command) throws SQLException {
        try (Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(command)) {
            assertThat(rows.getMetaData().getColumnName(1)).isEqualTo("DFS Output");
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
            return lines;
        }
    }

    private void refuses(String command, String sqlState, String words) {
        assertThatThrownBy(() -> rows(command)).isInstanceOfSatisfying(SQLException.class, e -> {
            assertThat(e.getSQLState()).as(command).isEqualTo(sqlState);
            assertThat(e.getMessage()).as(command).contains(words);
        });
    }

    @Test
    void filesAreMadeReadAndRemoved() throws Exception {
        Path local = Files.writeString(folder.resolve("local file"), "one\ntwo\n");
        assertThat(rows("dfs -mkdir -p " + folder + "/a/b")).isEmpty();
        assertThat(rows("dfs -put '" + local + "' " + folder + "/a/b/f")).isEmpty();
        assertThat(rows("dfs -cat " + folder + "/a/b/f")).containsExactly("one", "two");
        assertThat(rows("DFS -cat " + folder + "/a/?/{f,g}")).containsExactly("one", "two");
        assertThat(rows("dfs -ls -C " + folder + "/a/b")).containsExactly(folder + "/a/b/f");
        assertThat(rows("dfs -mv " + folder + "/a/b/f " + folder + "/a/g")).isEmpty();
        assertThat(rows("dfs -get " + folder + "/a/g " + folder + "/back")).isEmpty();
        assertThat(folder.resolve("back")).hasContent("one\ntwo\n");
        assertThat(rows("dfs -test -e " + folder + "/a/g")).isEmpty();
        assertThat(rows("dfs -rm -r -skipTrash " + folder + "/a")).containsExactly("Deleted " + folder + "/a");
        assertThat(folder.resolve("a")).doesNotExist();
        try (var left = Files.list(folder)) {
            assertThat(left.map(path -> String.valueOf(path.getFileName())))
                    .containsExactlyInAnyOrder("local file", "back");
        }
    }

    @Test
    void failuresSayWhy() {
        refuses("dfs -cat " + folder + "/none", "58030", "No such file or directory");
        refuses("dfs -cat " + folder + "/none*", "58030", "No such file or directory");
        refuses("dfs -test -e " + folder + "/none", "58030", "status 1");
    }

    @Test
    void outputIsBounded() throws Exception {
        Files.write(folder.resolve("large"), new byte[(4 << 20) + 1]);
        Files.writeString(folder.resolve("lines"), "\n".repeat(100_001));
        refuses("dfs -cat " + folder + "/large", "53200", "prints more than");
        refuses("dfs -cat " + folder + "/lines", "53200", "prints more than");
    }

    @Test
    void passwordsAreNotShown() throws Exception {
        Files.writeString(folder.resolve("site"), "jdbc:postgresql://h/m?user=u&password=S3CRET\n");
        assertThat(rows("dfs -cat " + folder + "/site")).hasSize(1).noneMatch(line -> line.contains("S3CRET"));
    }

    /** Neither a path nor a pattern nor a folder above reaches what statements may not name. */
    @Test
    void closedFoldersStayClosed() throws Exception {
        String data = server.data().toString();
        String above = data.substring(0, data.lastIndexOf('/'));
        Files.createSymbolicLink(folder.resolve("link"), server.data());
        for (String path : List.of(
                data + "/commits",
                data,
                above,
                "/",
                "/proc/self/environ",
                folder + "/link/commits",
                folder + "/../" + server.data().getFileName(),
                "file://" + data + "/commits")) {
            for (String command : List.of("-ls", "-cat", "-rm -r -skipTrash", "-put /tmp/x", "-ls -R")) {
                refuses("dfs " + command + " " + path, "42501", "statements may not use the path");
            }
        }
        refuses("dfs -ls " + above + "/*", "42501", "statements may not use the path");
        refuses("dfs -ls " + above + "/skep-itest*/commits", "42501", "statements may not use the path");
        refuses("dfs -cat " + folder + "/l?nk", "42501", "statements may not use the path");
        refuses("dfs -ls " + folder + "/*/../..", "42000", "is not absolute");
        refuses("dfs -put " + data + "/server.lock " + folder + "/x", "42501", "statements may not use the path");
        refuses("dfs -get " + folder + " " + data + "/x", "42501", "statements may not use the path");
        refuses("dfs -ls relative", "42000", "is not absolute");
        refuses("dfs -cat -", "0A000", "is not supported");
    }

    @Test
    void onlyKnownFormsRun() {
        for (String command : List.of(
                "",
                "-nosuch",
                "ls /tmp",
                "-expunge",
                "-find /tmp -exec x",
                "-appendToFile - /tmp/x",
                "-tail -f /tmp/x",
                "-cp -t 4 /tmp/x /tmp/y",
                "-rm -safely /tmp/x",
                "-setfacl -m user:x:rwx /tmp")) {
            refuses("dfs " + command, "0A000", "is not supported");
        }
        refuses("dfs -mv /tmp/x", "42000", "needs 2 paths");
        refuses("dfs -ls", "42000", "needs 1 paths");
    }

    @Test
    void itIsClosedFromTheStart(@TempDir Path data) throws Exception {
        try (TestServer closed = TestServer.start(Map.of());
                Connection connection = client.connect(closed.jdbcUrl());
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("dfs -ls /tmp"))
                    .isInstanceOfSatisfying(SQLException.class, e -> {
                        assertThat(e.getSQLState()).isEqualTo("42501");
                        assertThat(e.getMessage()).contains("skep.dfs.enabled=true");
                    });
            assertThatThrownBy(() -> statement.execute("set skep.dfs.enabled=true"))
                    .isInstanceOf(SQLException.class);
        }
        try (AuthorizedServer site =
                        AuthorizedServer.start(data, List.of("root"), "x", Map.of("skep.dfs.enabled", "true"));
                Connection root = site.connect("root")) {
            AuthorizedServer.run(root, "set role admin");
            assertThatThrownBy(() -> AuthorizedServer.run(root, "dfs -ls /tmp"))
                    .hasMessageContaining("hive.security.authorization.enabled is on");
        }
    }

    @Test
    void theListOfCommandsCounts() throws Exception {
        try (TestServer site =
                        TestServer.start(Map.of("skep.dfs.enabled", "true", "hive.security.command.whitelist", "set"));
                Connection connection = client.connect(site.jdbcUrl());
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("dfs -ls /tmp"))
                    .hasMessageContaining("Insufficient privileges to execute dfs");
        }
    }
}
