package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedBeeline;
import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests servers that the released driver finds through a real ZooKeeper, and servers that shut down. */
@Timeout(300)
final class TestServerDiscovery {
    @TempDir
    private Path folder;

    private ZooKeeperServer zooKeeper;
    private ReleasedClient client;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new ZooKeeperServer(folder);
        client = ReleasedClient.open();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        zooKeeper.close();
    }

    @Test
    void releasedClientsFindTheServer() throws Exception {
        try (TestServer server = TestServer.start(zooKeeper.site(Map.of()))) {
            server.awaitThat("the server is in ZooKeeper", () -> servers().size() == 1);
            Map.Entry<String, String> entry = servers().entrySet().iterator().next();
            assertThat(entry.getKey())
                    .matches("serverUri=127\\.0\\.0\\.1:" + server.port() + ";version=4\\.0\\.1;sequence=\\d{10}");
            assertThat(entry.getValue().split(";"))
                    .containsExactlyInAnyOrder(
                            "hive.server2.thrift.bind.host=127.0.0.1",
                            "hive.server2.thrift.port=" + server.port(),
                            "hive.server2.transport.mode=binary",
                            "hive.server2.thrift.sasl.qop=auth",
                            "hive.server2.authentication=NONE",
                            "hive.server2.use.SSL=false");
            assertThat(answer(zooKeeper.jdbcUrl())).isEqualTo("42");
            ReleasedBeeline.Result beeline = ReleasedBeeline.run(
                    zooKeeper.jdbcUrl(), "select 'found', 6 * 7;", "--outputformat=csv2", "--showHeader=false");
            assertThat(beeline.output()).contains("found,42");
        }
        assertThat(servers()).isEmpty();
    }

    @Test
    void releasedClientsFindAServerOfTheHttpTransport() throws Exception {
        Map<String, String> site = zooKeeper.site(Map.of(
                "hive.server2.transport.mode", "http",
                "hive.server2.thrift.http.port", "0",
                "hive.server2.thrift.http.path", "calls/of/hive"));
        try (TestServer server = TestServer.start(site)) {
            server.awaitThat("the server is in ZooKeeper", () -> servers().size() == 1);
            Map.Entry<String, String> entry = servers().entrySet().iterator().next();
            assertThat(entry.getKey()).startsWith("serverUri=127.0.0.1:" + server.port() + ";");
            assertThat(entry.getValue().split(";"))
                    .containsExactlyInAnyOrder(
                            "hive.server2.thrift.bind.host=127.0.0.1",
                            "hive.server2.thrift.http.port=" + server.port(),
                            "hive.server2.thrift.http.path=calls/of/hive",
                            "hive.server2.transport.mode=http",
                            "hive.server2.authentication=NONE",
                            "hive.server2.use.SSL=false");
            assertThat(answer(zooKeeper.jdbcUrl())).isEqualTo("42");
        }
    }

    @Test
    void clientsAreToldTheAddressAloneIfTheSiteWantsIt() throws Exception {
        Map<String, String> site = zooKeeper.site(Map.of("hive.server2.zookeeper.publish.configs", "false"));
        try (TestServer server = TestServer.start(site)) {
            server.awaitThat("the server is in ZooKeeper", () -> servers().size() == 1);
            assertThat(servers().values()).containsExactly("127.0.0.1:" + server.port());
            assertThat(answer(zooKeeper.jdbcUrl())).isEqualTo("42");
        }
    }

    /** ZooKeeper is absent when the server starts, then appears, then is replaced by one without data. */
    @Test
    void zooKeeperComesAndGoes() throws Exception {
        zooKeeper.stop();
        try (TestServer server = TestServer.start(zooKeeper.site(Map.of()));
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            assertThat(answer(statement)).isEqualTo("42");
            zooKeeper.startAgain();
            server.awaitThat("the server is in ZooKeeper", () -> servers().size() == 1);
            assertThat(answer(zooKeeper.jdbcUrl())).isEqualTo("42");
            zooKeeper.replace();
            server.awaitThat(
                    "the server is in the new ZooKeeper", () -> servers().size() == 1);
            assertThat(answer(zooKeeper.jdbcUrl())).isEqualTo("42");
            assertThat(answer(statement)).isEqualTo("42");
        }
    }

    @Test
    void drainedServersLetTheirSessionsEnd() throws Exception {
        ServerProcess one = start("one");
        ServerProcess other = start("other");
        try {
            Process command;
            try (Connection old = client.connect(one.url());
                    Statement statement = old.createStatement()) {
                ServerProcess.await(() -> servers().size() == 2);
                command = drain("one");
                ServerProcess.await(() -> servers().size() == 1);
                for (int i = 0; i < 4; i++) {
                    assertThat(answer(zooKeeper.jdbcUrl())).isEqualTo("42");
                }
                refuses(one.url());
                assertThat(answer(statement)).isEqualTo("42");
                assertThat(one.process().isAlive()).isTrue();
            }
            assertThat(one.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(one.process().exitValue()).isZero();
            assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("drained");
            endsWithinALimit(other);
        } finally {
            one.process().destroyForcibly();
            other.process().destroyForcibly();
        }
    }

    /** The server is deregistered as by Hive's tool, then drained with a time limit. */
    private void endsWithinALimit(ServerProcess server) throws Exception {
        try (Connection open = client.connect(server.url());
                Statement statement = open.createStatement()) {
            zooKeeper.deregister(servers().keySet().iterator().next());
            ServerProcess.await(() -> isRefused(server.url()));
            refuses(server.url());
            assertThat(answer(statement)).isEqualTo("42");
            assertThat(servers()).isEmpty();
            drain("other", "--within", "1");
            assertThat(server.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.process().exitValue()).isZero();
        } catch (SQLException closing) {
            assertThat(server.process().isAlive()).isFalse();
        }
    }

    private void refuses(String url) {
        assertThatThrownBy(() -> answer(url))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("takes no new sessions")
                .hasMessageContaining("connect again through ZooKeeper");
    }

    private boolean isRefused(String url) {
        try {
            answer(url);
            return false;
        } catch (SQLException e) {
            return true;
        }
    }

    private ServerProcess start(String name) throws IOException {
        return ServerProcess.start(Files.createDirectories(folder.resolve(name)), zooKeeper.site(Map.of()));
    }

    private Process drain(String name, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "bash",
                Path.of(System.getProperty("skep.home"), "bin", "skep").toString(),
                "drain",
                "--data",
                folder.resolve(name).toString()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private Map<String, String> servers() {
        try {
            return zooKeeper.servers();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String answer(String url) throws SQLException {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            return answer(statement);
        }
    }

    private static String answer(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT 6 * 7")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
