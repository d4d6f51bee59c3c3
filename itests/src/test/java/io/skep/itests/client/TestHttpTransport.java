package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.testing.SelfSigned;
import io.skep.itests.server.TestServer;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.http.HttpConfig;
import io.skep.service.http.HttpServer;
import io.skep.service.wire.ThriftConfig;
import io.skep.service.wire.WireServices;
import java.net.InetAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the released driver and Beeline over HTTP, plain and encrypted, with whole servers. */
@Timeout(300)
final class TestHttpTransport {
    private static ReleasedClient client;

    @BeforeAll
    static void open() throws Exception {
        client = ReleasedClient.open();
    }

    @AfterAll
    static void close() throws Exception {
        client.close();
    }

    private static String httpUrl(TestServer server) {
        return "jdbc:hive2://127.0.0.1:" + server.server().httpPort().orElseThrow()
                + "/default;transportMode=http;httpPath=cliservice";
    }

    private static String answer(String url) throws SQLException {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select 6 * 7")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    @Test
    void bothTransportsServeTheSameTables() throws Exception {
        try (TestServer server =
                TestServer.start(Map.of("hive.server2.transport.mode", "all", "hive.server2.thrift.http.port", "0"))) {
            try (Connection http = client.connect(httpUrl(server));
                    Connection binary = client.connect(server.jdbcUrl());
                    Statement writer = http.createStatement();
                    Statement reader = binary.createStatement()) {
                writer.execute("create table http_t (a int, b string) stored as orc");
                writer.execute("insert into http_t select a, repeat('x', 100000) from"
                        + " (select explode(array(1, 2, 3)) as a) n");
                assertThat(ReleasedClient.countRows(writer, "select b from http_t"))
                        .isEqualTo(3);
                assertThat(ReleasedClient.countRows(reader, "select b from http_t"))
                        .isEqualTo(3);
                writer.setFetchSize(100);
                assertThat(ReleasedClient.countRows(
                                writer, "select pos from (select posexplode(split(space(9999), ' ')) as (pos, v)) t"))
                        .isEqualTo(10_000);
                try (ResultSet tables = http.getMetaData().getTables(null, "default", "http%", null)) {
                    assertThat(tables.next()).isTrue();
                    assertThat(tables.getString("TABLE_NAME")).isEqualTo("http_t");
                }
                assertThatThrownBy(() -> writer.executeQuery("select nothing from http_t"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("42000"));
                cancels(server, writer);
                writer.execute("drop table http_t");
            }
            ReleasedBeeline.Result beeline = ReleasedBeeline.run(
                    httpUrl(server), "select 'over http', 6 * 7;", "--outputformat=csv2", "--showHeader=false");
            assertThat(beeline.output()).contains("over http,42");
            assertThat(answer(httpUrl(server) + ";cookieAuth=false")).isEqualTo("42");
            assertThatThrownBy(() -> answer(httpUrl(server).replace("httpPath=cliservice", "httpPath=other")))
                    .isInstanceOf(SQLException.class);
        }
    }

    private static void cancels(TestServer server, Statement statement) throws Exception {
        String numbers = "(select posexplode(split(space(9999), ' ')) as (n, v))";
        String endless = "select count(*) as never from " + numbers + " a cross join " + numbers + " b cross join "
                + numbers + " c where a.n + b.n + c.n < 0";
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
            try {
                statement.executeQuery(endless);
                return new AssertionError("it has ended");
            } catch (SQLException e) {
                return e;
            }
        });
        server.awaitRunning("never");
        server.awaitThat("the driver knows its query", () -> ReleasedClient.queryId(statement) != null);
        statement.cancel();
        assertThat(failure.get()).isInstanceOf(SQLException.class).hasMessageContaining("cancel");
    }

    /** A restart of the transport ends all cookies, but not the sessions here. */
    @Test
    void aDriverWithAnOldCookieLogsInAgain() throws Exception {
        try (TestServer server = TestServer.start(Map.of())) {
            HttpServer current = http(server, 0);
            try {
                int port = current.port();
                Connection connection = client.connect(
                        "jdbc:hive2://127.0.0.1:" + port + "/default;transportMode=http;httpPath=cliservice");
                Statement statement = connection.createStatement();
                assertThat(ReleasedClient.countRows(statement, "select 1")).isEqualTo(1);
                current.close();
                current = http(server, port);
                assertThat(ReleasedClient.countRows(statement, "select 1")).isEqualTo(1);
                connection.close();
            } finally {
                current.close();
            }
        }
    }

    private static HttpServer http(TestServer server, int port) {
        SettingsReader reader = new SettingsReader(Map.of("hive.server2.thrift.http.port", Integer.toString(port)));
        ThriftConfig config = ThriftConfig.of(reader);
        WireServices services = new WireServices(
                server.server().sessions(),
                server.server().catalog(),
                config,
                ClientAuthentication.open(config.authentication(), new Configuration(false)),
                new Configuration(false));
        HttpServer http = new HttpServer(
                InetAddress.getLoopbackAddress(), HttpConfig.of(reader), services, InstantSource.system());
        http.start();
        return http;
    }

    @Test
    void encryptedWithCertificatesOfClients(@TempDir Path folder) throws Exception {
        SelfSigned own = SelfSigned.make(folder.resolve("server.p12"));
        SelfSigned user = SelfSigned.make(folder.resolve("user.p12"));
        try (TestServer server = TestServer.start(Map.of(
                "hive.server2.transport.mode",
                "http",
                "hive.server2.thrift.http.port",
                "0",
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                own.file().toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD,
                "skep.thrift.tls.client-certificates",
                "required",
                "skep.thrift.tls.truststore.path",
                user.file().toString(),
                "skep.thrift.tls.truststore.password",
                SelfSigned.PASSWORD))) {
            assertThat(server.jdbcUrl()).endsWith(";transportMode=http;httpPath=cliservice;ssl=true");
            String trusting =
                    server.jdbcUrl() + ";sslTrustStore=" + own.file() + ";trustStorePassword=" + SelfSigned.PASSWORD;
            assertThat(answer(trusting + ";twoWay=true;sslKeyStore=" + user.file() + ";keyStorePassword="
                            + SelfSigned.PASSWORD))
                    .isEqualTo("42");
            assertThatThrownBy(() -> answer(trusting)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> answer(trusting.replace(";ssl=true", ""))).isInstanceOf(SQLException.class);
        }
    }
}
