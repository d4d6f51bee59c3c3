package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.server.TestServer;
import io.skep.itests.server.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the released Beeline, with its driver, over both transports of whole servers with Kerberos. */
@Timeout(300)
final class TestKerberos {
    private static final String QUESTION = "select 'user', current_user();\n"
            + "select 'long', length(max(v)), count(*)"
            + " from (select posexplode(split(space(99999), ' ')) as (n, v)) t;\n"
            + "select repeat('z', 300000);";

    @TempDir
    private static Path folder;

    private static TicketOffice kdc;
    private static Map<String, String> site;
    private static Map<String, String> ann;

    @BeforeAll
    static void start() throws Exception {
        kdc = new TicketOffice(folder);
        site = kdc.server();
        ann = kdc.ticket("ann");
    }

    @AfterAll
    static void stop() {
        kdc.close();
    }

    private static Map<String, String> site(String... changes) {
        Map<String, String> changed = new HashMap<>(site);
        for (int i = 0; i < changes.length; i += 2) {
            changed.put(changes[i], changes[i + 1]);
        }
        return changed;
    }

    private static String answer(Map<String, String> environment, String url) throws Exception {
        return ReleasedBeeline.run(environment, url, QUESTION, "--outputformat=csv2", "--showHeader=false")
                .output();
    }

    private static void isServed(String url) throws Exception {
        assertThat(answer(ann, url)).contains("user,ann", "long,0,100000", "z".repeat(300_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth", "auth-int", "auth-conf"})
    void overTheBinaryTransport(String protection) throws Exception {
        try (TestServer server = TestServer.start(site("hive.server2.thrift.sasl.qop", protection))) {
            assertThat(server.jdbcUrl()).endsWith(";principal=" + TicketOffice.SERVER);
            isServed(server.jdbcUrl() + ";saslQop=" + protection);
            assertThat(answer(kdc.noTicket(), server.jdbcUrl())).doesNotContain("user,");
            assertThat(UserGroupInformation.isSecurityEnabled())
                    .as("Hadoop has not noticed")
                    .isFalse();
        }
    }

    @Test
    void overHttp() throws Exception {
        try (TestServer server =
                TestServer.start(site("hive.server2.transport.mode", "http", "hive.server2.thrift.http.port", "0"))) {
            assertThat(server.jdbcUrl())
                    .endsWith(";transportMode=http;httpPath=cliservice;principal=" + TicketOffice.SERVER);
            isServed(server.jdbcUrl());
            isServed(server.jdbcUrl() + ";cookieAuth=false");
            assertThat(answer(kdc.noTicket(), server.jdbcUrl())).doesNotContain("user,");
        }
    }

    /** A client with a ticket gets a token, and Beeline without a ticket logs in with it, over both transports. */
    @Test
    void byADelegationToken() throws Exception {
        try (TestServer server =
                TestServer.start(site("hive.server2.transport.mode", "all", "hive.server2.thrift.http.port", "0"))) {
            String token = DelegationTokenClient.get(ann, server.jdbcUrl(), "ann", "ann");
            Map<String, String> task = kdc.task(token);
            String binary = DelegationTokenClient.urlOf(server.jdbcUrl());
            assertThat(answer(task, binary)).contains("user,ann", "long,0,100000");
            String http = "jdbc:hive2://127.0.0.1:" + server.server().httpPort().orElseThrow()
                    + "/default;transportMode=http;httpPath=cliservice;auth=delegationToken";
            assertThat(answer(task, http)).contains("user,ann", "long,0,100000");
            Map<String, String> liar = kdc.task(forged(token));
            assertThat(answer(liar, binary)).doesNotContain("user,");
            assertThat(answer(liar, http)).doesNotContain("user,");
        }
    }

    private static String forged(String token) throws IOException {
        Token<TokenIdentifier> changed = new Token<>();
        changed.decodeFromUrlString(token);
        byte[] secret = changed.getPassword().clone();
        secret[0] ^= 1;
        return new Token<>(changed.getIdentifier(), secret, changed.getKind(), changed.getService())
                .encodeToUrlString();
    }

    /** The principal and the protection are found in ZooKeeper. */
    @Test
    void foundInZooKeeper() throws Exception {
        try (ZooKeeperServer zooKeeper = new ZooKeeperServer(Files.createDirectories(folder.resolve("zookeeper")));
                TestServer _ = TestServer.start(zooKeeper.site(site("hive.server2.thrift.sasl.qop", "auth-conf")))) {
            isServed(zooKeeper.jdbcUrl());
        }
    }

    @Test
    void clientsWithPasswordsAreToldWhatTheServerWants() throws Exception {
        try (TestServer server = TestServer.start(
                        site("hive.server2.transport.mode", "all", "hive.server2.thrift.http.port", "0"));
                ReleasedClient client = ReleasedClient.open()) {
            String binary = server.jdbcUrl().replaceFirst(";principal=.*", "");
            assertThatThrownBy(() -> client.connect(binary))
                    .isInstanceOf(SQLException.class)
                    .hasStackTraceContaining(
                            "hive.server2.authentication=KERBEROS: connect with principal=" + TicketOffice.SERVER);
            String http = "jdbc:hive2://127.0.0.1:" + server.server().httpPort().orElseThrow()
                    + "/default;transportMode=http;httpPath=cliservice";
            assertThatThrownBy(() -> client.connect(http))
                    .isInstanceOf(SQLException.class)
                    .hasStackTraceContaining("401");
        }
    }
}
