package io.skep.authentication.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.ExampleDirectory;
import io.skep.common.testing.Polling;
import io.skep.common.testing.SelfSigned;
import io.skep.common.testing.SlapdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.naming.AuthenticationException;
import javax.naming.CommunicationException;
import javax.naming.NamingException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests logins with a real slapd: what clients may try, and directories that do not answer. */
@Timeout(120)
final class TestLdapDirectory {
    private static final String PREFIX = "hive.server2.authentication.ldap.";

    @TempDir
    private static Path folder;

    private static ServerSocket elsewhere;
    private static SlapdServer slapd;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(SlapdServer.isInstalled(), "slapd is installed");
        elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        String referral = "ldap://127.0.0.1:" + elsewhere.getLocalPort() + "/dc=elsewhere";
        slapd = SlapdServer.start(folder, ExampleDirectory.SUFFIX, ExampleDirectory.entries(referral));
    }

    @AfterAll
    static void stop() throws IOException {
        if (slapd != null) {
            slapd.close();
            elsewhere.close();
        }
    }

    private static LdapDirectory directory(String... settings) {
        Map<String, String> all =
                new HashMap<>(Map.of(PREFIX + "url", slapd.url(), PREFIX + "baseDN", ExampleDirectory.PEOPLE));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i].startsWith("skep.") ? settings[i] : PREFIX + settings[i], settings[i + 1]);
        }
        SettingsReader reader = new SettingsReader(all);
        LdapConfig config = LdapConfig.of(reader);
        reader.finish();
        Configuration site = new Configuration(false);
        all.forEach(site::set);
        return LdapDirectory.open(config, site);
    }

    private static LdapDirectory withAccount(String... more) {
        String[] settings = {"binddn", ExampleDirectory.SERVICE, "bindpw", ExampleDirectory.SERVICE_PASSWORD};
        String[] all = Arrays.copyOf(settings, settings.length + more.length);
        System.arraycopy(more, 0, all, settings.length, more.length);
        return directory(all);
    }

    private static void assertRefused(LdapDirectory directory, String user, String password) {
        assertThatThrownBy(() -> directory.verify(user, password))
                .as(user)
                .isInstanceOf(NamingException.class)
                .satisfies(e -> assertThat(e.toString())
                        .doesNotContain(ExampleDirectory.SERVICE_PASSWORD)
                        .doesNotContain(password.isBlank() ? "pw-" : password));
    }

    @Test
    void theRightPasswordIsAccepted() throws Exception {
        for (LdapDirectory directory : List.of(directory(), withAccount())) {
            assertThat(directory.verify("ann", "pw-ann")).isEqualTo("ann");
            assertRefused(directory, "ann", "pw-bob");
            assertRefused(directory, "nobody", "pw-nobody");
        }
        for (String special : List.of("o'neil", "star*man", "par(en)", "back\\slash", "com,ma")) {
            assertThat(directory().verify(special, "pw-" + special)).isEqualTo(special);
            assertThat(withAccount().verify(special, "pw-" + special)).isEqualTo(special);
        }
    }

    /** This slapd accepts a login without a password, as nobody. */
    @Test
    void emptyPasswordsAreRefused() {
        for (LdapDirectory directory : List.of(directory(), withAccount())) {
            for (String none : List.of("", " ", "\t ", "\0", "\0pw-ann")) {
                assertRefused(directory, "ann", none);
                assertRefused(directory, "uid=ann," + ExampleDirectory.PEOPLE, none);
            }
        }
        assertThatThrownBy(() -> new LdapServers(List.of(slapd.url()))
                        .login("uid=ann," + ExampleDirectory.PEOPLE, "", new Deadline(Duration.ofSeconds(9))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Each of these would find another user, or someone elsewhere, without an escape. */
    @Test
    void namesAreNoFiltersAndNoEntries() {
        List<String> names = List.of(
                "*",
                "an*",
                "a*n",
                "ann)(uid=*",
                "ann)(|(uid=ann",
                "*)(uid=ann",
                "ann\\2a",
                "an\\6e",
                "ann,ou=People,dc=example,dc=com",
                "ann+cn=The ann",
                "uid=*," + ExampleDirectory.PEOPLE,
                "uid=an*," + ExampleDirectory.PEOPLE,
                "uid=ann)(uid=ann," + ExampleDirectory.PEOPLE,
                "uid=ann,dc=example,dc=com)(objectClass=*",
                "%s",
                "{0}",
                "$1",
                " ann",
                "ann ",
                "ann\0",
                "");
        for (LdapDirectory directory : List.of(
                directory(),
                withAccount(),
                withAccount("customLDAPQuery", "(&(objectClass=person)(uid=%s))"),
                withAccount("userSearchFilter", "(uid={0})"),
                withAccount(
                        "userSearchFilter",
                        "(uid={0})",
                        "groupSearchFilter",
                        "(|(member={0})(memberUid={1}))",
                        "groupBaseDN",
                        ExampleDirectory.GROUPS),
                directory("userFilter", "ann", "groupFilter", "devs", "groupDNPattern", ExampleDirectory.GROUPS))) {
            for (String name : names) {
                assertRefused(directory, name, "pw-ann");
            }
        }
    }

    @Test
    void theDomainOfTheSettingsIsNotPartOfTheName() throws Exception {
        String pattern = "uid=%s," + ExampleDirectory.PEOPLE;
        assertThat(withAccount("userDNPattern", pattern).verify("ann@partner.com", "pw-ann@partner.com"))
                .as("another user than ann")
                .isEqualTo("ann@partner.com");
        assertThat(withAccount("Domain", "PARTNER.com").verify("ann@partner.com", "pw-ann@partner.com"))
                .isEqualTo("ann");
    }

    @Test
    void referralsAreNotFollowed() throws Exception {
        assertRefused(directory(), "far", "pw-far");
        assertRefused(withAccount(), "far", "pw-far");
        elsewhere.setSoTimeout(200);
        assertThatThrownBy(elsewhere::accept).as("a connection").isInstanceOf(IOException.class);
    }

    @Test
    void theNextDirectoryIsAskedWhenOneIsGone() throws Exception {
        int closed = closedPort();
        String both = "ldap://127.0.0.1:" + closed + "  " + slapd.url();
        LdapDirectory directory = directory("url", both);
        assertThat(directory.verify("ann", "pw-ann")).isEqualTo("ann");
        assertRefused(directory, "ann", "wrong");
        assertRefused(directory("url", "ldap://127.0.0.1:" + closed), "ann", "pw-ann");
    }

    @Test
    void aSilentDirectoryCostsALimitedTime() throws Exception {
        int threads = Thread.activeCount();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "ldap://127.0.0.1:" + silent.getLocalPort();
            LdapDirectory alone = directory("url", url, "skep.authentication.ldap.timeout", "400ms");
            long begin = System.nanoTime();
            assertRefused(alone, "ann", "pw-ann");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
            try (Socket connection = silent.accept()) {
                connection.setSoTimeout(20_000);
                assertThat(connection.getInputStream().readAllBytes())
                        .as("the login, and then the end of the connection")
                        .isNotEmpty();
            }
            LdapDirectory both = directory("url", url + " " + slapd.url(), "skep.authentication.ldap.timeout", "20s");
            assertThat(both.verify("ann", "pw-ann")).as("after 5 seconds").isEqualTo("ann");
            begin = System.nanoTime();
            assertThat(both.verify("ann", "pw-ann")).isEqualTo("ann");
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("the silent one is asked last")
                    .isLessThan(Duration.ofSeconds(4));
        }
        assertThat(Polling.comesTrue(Duration.ofSeconds(30), () -> Thread.activeCount() <= threads))
                .as("JNDI's threads end")
                .isTrue();
    }

    @Test
    void encryptedConnectionsNeedATrustedCertificate() {
        assertThatThrownBy(() -> directory("url", slapd.tlsUrl()).verify("ann", "pw-ann"))
                .isInstanceOf(CommunicationException.class);
    }

    @Test
    void encryptedConnectionsAreVerifiedByTheTrustStoreOfTheJdk() throws Exception {
        assertThat(loginOf(slapd.tlsUrl())).contains("user: ann");
        String other = "0.0.0.0";
        assertThat(loginOf(slapd.url().replace("127.0.0.1", other)))
                .as("another name of the same server")
                .contains("user: ann");
        assertThat(loginOf(slapd.tlsUrl().replace("127.0.0.1", other)))
                .as("the certificate does not have it")
                .contains("refused: ");
    }

    private static String loginOf(String url) throws IOException {
        Process login = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Djavax.net.ssl.trustStore=" + slapd.certificate().file(),
                        "-Djavax.net.ssl.trustStorePassword=" + SelfSigned.PASSWORD,
                        "-cp",
                        System.getProperty("java.class.path"),
                        LdapLogin.class.getName(),
                        url,
                        ExampleDirectory.PEOPLE,
                        "ann")
                .redirectErrorStream(true)
                .start();
        return new String(login.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void thePasswordOfTheAccountMayBeInACredentialProvider(@TempDir Path credentials) throws Exception {
        String provider = "localjceks://file" + credentials.resolve("own.jceks");
        Configuration site = new Configuration(false);
        site.set("hadoop.security.credential.provider.path", provider);
        CredentialProvider store = CredentialProviderFactory.getProviders(site).getFirst();
        store.createCredentialEntry(PREFIX + "bindpw", ExampleDirectory.SERVICE_PASSWORD.toCharArray());
        store.flush();
        LdapConfig config = LdapConfig.of(new SettingsReader(Map.of(
                PREFIX + "url",
                slapd.url(),
                PREFIX + "baseDN",
                ExampleDirectory.CLOSED,
                PREFIX + "userFilter",
                "eve",
                PREFIX + "binddn",
                ExampleDirectory.SERVICE)));
        assertThat(LdapDirectory.open(config, site).verify("eve", "pw-eve")).isEqualTo("eve");
        assertThat(config.toString()).doesNotContain(ExampleDirectory.SERVICE_PASSWORD);
    }

    @Test
    void theAccountNeedsAPassword() {
        for (String[] settings :
                new String[][] {{"binddn", ExampleDirectory.SERVICE}, {"binddn", ExampleDirectory.SERVICE, "bindpw", ""}
                }) {
            assertThatThrownBy(() -> directory(settings))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                    .hasMessageContaining("bindpw");
        }
        assertThatThrownBy(() -> directory("binddn", ExampleDirectory.SERVICE, "bindpw", "wrong")
                        .verify("ann", "pw-ann"))
                .isInstanceOf(AuthenticationException.class);
    }

    private static int closedPort() throws IOException {
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return closed.getLocalPort();
        }
    }
}
