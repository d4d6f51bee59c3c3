package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.SelfSigned;
import io.skep.itests.server.TestServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the released driver and Beeline over TLS, with a whole server. */
@Timeout(300)
final class TestTls {
    @TempDir
    private static Path folder;

    private static SelfSigned certificate;
    private static TestServer server;
    private static ReleasedClient client;

    @BeforeAll
    static void start() throws Exception {
        certificate = SelfSigned.make(folder.resolve("server.p12"));
        server = TestServer.start(Map.of(
                "hive.server2.use.SSL",
                "true",
                "hive.server2.keystore.path",
                certificate.file().toString(),
                "hive.server2.keystore.password",
                SelfSigned.PASSWORD));
        client = ReleasedClient.open();
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        server.close();
    }

    /** Hive's driver reads trust stores as JKS unless told otherwise; the JDK reads PKCS12 under that name too. */
    private static String url() {
        return server.jdbcUrl() + ";sslTrustStore=" + certificate.file() + ";trustStorePassword=" + SelfSigned.PASSWORD;
    }

    @Test
    void theDriverReadsAndWrites() throws Exception {
        assertThat(server.jdbcUrl()).endsWith(";ssl=true");
        try (Connection connection = client.connect(url());
                Statement statement = connection.createStatement()) {
            statement.execute("create table tls_t (a int, b string) stored as orc");
            statement.execute("insert into tls_t select a, repeat('x', 100000) from"
                    + " (select explode(array(1, 2, 3)) as a) n");
            try (ResultSet rows = statement.executeQuery("select sum(a), sum(length(b)) from tls_t")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getLong(1)).isEqualTo(6);
                assertThat(rows.getLong(2)).isEqualTo(300_000);
            }
            assertThat(ReleasedClient.countRows(statement, "select b from tls_t"))
                    .isEqualTo(3);
            statement.execute("drop table tls_t");
        }
        server.assertNothingLeft();
    }

    @Test
    void beelineConnects() throws Exception {
        ReleasedBeeline.Result result =
                ReleasedBeeline.run(url(), "select 'encrypted', 6 * 7;", "--outputformat=csv2", "--showHeader=false");
        assertThat(result.output()).contains("encrypted,42");
    }

    @Test
    void othersAreRefused() {
        String plain = server.jdbcUrl().replace(";ssl=true", "");
        assertThatThrownBy(() -> client.connect(plain))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("connect with ssl=true");
        assertThatThrownBy(() -> client.connect(server.jdbcUrl()))
                .as("a client that does not know the certificate")
                .isInstanceOf(SQLException.class);
        server.assertNothingLeft();
    }
}
