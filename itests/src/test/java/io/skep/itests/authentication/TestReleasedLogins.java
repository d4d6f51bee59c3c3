package io.skep.itests.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.testing.ExampleDirectory;
import io.skep.common.testing.SlapdServer;
import io.skep.itests.client.ReleasedBeeline;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.client.ReleasedDriver;
import io.skep.itests.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests logins of the released drivers and Beeline by a password and by a token, with whole servers. */
@Timeout(300)
final class TestReleasedLogins {
    private static final String PREFIX = "hive.server2.authentication.";

    private static String httpUrl(TestServer server) {
        return "jdbc:hive2://127.0.0.1:" + server.server().httpPort().orElseThrow()
                + "/default;transportMode=http;httpPath=cliservice";
    }

    private static Properties login(String user, String password) {
        Properties login = new Properties();
        login.setProperty("user", user);
        login.setProperty("password", password);
        return login;
    }

    private static String user(ReleasedDriver driver, String url, Properties login) throws Exception {
        try (ReleasedClient client = ReleasedClient.open(driver);
                Connection connection = client.connect(url, login);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select logged_in_user()")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static String texts(Throwable failure) {
        StringBuilder texts = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            texts.append(cause).append('\n');
        }
        return texts.toString();
    }

    @Test
    void passwordsOfADirectory(@TempDir Path folder) throws Exception {
        assumeTrue(SlapdServer.isInstalled(), "slapd is installed");
        try (SlapdServer slapd = SlapdServer.start(
                        folder, ExampleDirectory.SUFFIX, ExampleDirectory.entries("ldap://127.0.0.1:1/dc=elsewhere"));
                TestServer server = TestServer.start(Map.of(
                        "hive.server2.authentication",
                        "LDAP",
                        PREFIX + "ldap.url",
                        slapd.url(),
                        PREFIX + "ldap.baseDN",
                        ExampleDirectory.PEOPLE,
                        "hive.server2.transport.mode",
                        "all",
                        "hive.server2.thrift.http.port",
                        "0"))) {
            for (ReleasedDriver driver : ReleasedDriver.values()) {
                for (String url : List.of(server.jdbcUrl(), httpUrl(server))) {
                    assertThat(user(driver, url, login("ann", "pw-ann")))
                            .as("%s %s", driver, url)
                            .isEqualTo("ann");
                    for (Properties wrong : List.of(login("ann", "pw-bob"), login("ann", ""), login("x", "pw-x"))) {
                        assertThatThrownBy(() -> user(driver, url, wrong))
                                .as("%s %s", driver, url)
                                .isInstanceOf(SQLException.class)
                                .satisfies(e -> assertThat(texts(e))
                                        .contains(url.contains("http") ? "401" : "Error validating the login")
                                        .doesNotContain("pw-bob"));
                    }
                }
            }
            for (String url : List.of(server.jdbcUrl(), httpUrl(server))) {
                assertThat(beeline(url, "pw-ann").output()).contains("logged in: ann");
                ReleasedBeeline.Result wrong = beeline(url, "pw-bob");
                assertThat(wrong.output())
                        .contains(url.contains("http") ? "401" : "Error validating the login")
                        .doesNotContain("logged in: ann");
            }
            slapd.stop();
            assertThatThrownBy(() -> user(ReleasedDriver.HIVE_4_2, server.jdbcUrl(), login("ann", "pw-ann")))
                    .as("the directory is gone")
                    .satisfies(e -> assertThat(texts(e)).contains("Error validating the login"));
            server.assertNothingLeft();
        }
    }

    private static ReleasedBeeline.Result beeline(String url, String password) throws Exception {
        return ReleasedBeeline.run(
                url,
                "select 'logged in:' || ' ' || logged_in_user();",
                "-n",
                "ann",
                "-p",
                password,
                "--outputformat=csv2",
                "--showHeader=false");
    }

    @Test
    void tokens(@TempDir Path folder) throws Exception {
        SignedTokens issuer = new SignedTokens();
        Path keys = Files.writeString(folder.resolve("keys.json"), issuer.keySet());
        Map<String, String> site = new HashMap<>(Map.of(
                "hive.server2.authentication",
                "JWT",
                PREFIX + "jwt.jwks.url",
                keys.toUri().toString(),
                "hive.server2.transport.mode",
                "http",
                "hive.server2.thrift.http.port",
                "0"));
        Instant soon = Instant.now().plusSeconds(600);
        try (TestServer server = TestServer.start(site)) {
            String url = httpUrl(server) + ";auth=jwt;jwt=";
            for (ReleasedDriver driver : List.of(ReleasedDriver.HIVE_4_0, ReleasedDriver.HIVE_4_2)) {
                assertThat(user(driver, url + issuer.token("ann", soon), new Properties()))
                        .as("%s", driver)
                        .isEqualTo("ann");
                for (String wrong : List.of(
                        issuer.token("ann", Instant.now().minusSeconds(1)),
                        new SignedTokens().token("ann", soon),
                        "a.b.c")) {
                    assertThatThrownBy(() -> user(driver, url + wrong, new Properties()))
                            .as("%s", driver)
                            .isInstanceOf(SQLException.class)
                            .satisfies(e -> assertThat(texts(e)).contains("401"));
                }
                assertThatThrownBy(() -> user(driver, httpUrl(server), login("ann", "pw-ann")))
                        .as("a password")
                        .isInstanceOf(SQLException.class);
            }
            server.assertNothingLeft();
        }
    }

    @Test
    void tokensBesidePasswords(@TempDir Path folder) throws Exception {
        assumeTrue(SlapdServer.isInstalled(), "slapd is installed");
        SignedTokens issuer = new SignedTokens();
        Path keys = Files.writeString(folder.resolve("keys.json"), issuer.keySet());
        Path directory = Files.createDirectory(folder.resolve("slapd"));
        try (SlapdServer slapd = SlapdServer.start(
                        directory, ExampleDirectory.SUFFIX, ExampleDirectory.entries("ldap://127.0.0.1:1/dc=x"));
                TestServer server = TestServer.start(Map.of(
                        "hive.server2.authentication",
                        "JWT,LDAP",
                        PREFIX + "jwt.jwks.url",
                        keys.toUri().toString(),
                        PREFIX + "ldap.url",
                        slapd.url(),
                        PREFIX + "ldap.baseDN",
                        ExampleDirectory.PEOPLE,
                        "hive.server2.transport.mode",
                        "http",
                        "hive.server2.thrift.http.port",
                        "0"))) {
            String token = issuer.token("bob", Instant.now().plusSeconds(600));
            assertThat(user(ReleasedDriver.HIVE_4_2, httpUrl(server) + ";auth=jwt;jwt=" + token, new Properties()))
                    .isEqualTo("bob");
            assertThat(user(ReleasedDriver.HIVE_4_2, httpUrl(server), login("ann", "pw-ann")))
                    .isEqualTo("ann");
            assertThatThrownBy(() -> user(ReleasedDriver.HIVE_4_2, httpUrl(server), login("ann", "wrong")))
                    .isInstanceOf(SQLException.class);
        }
    }
}
