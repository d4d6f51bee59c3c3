package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.testing.TestingTokens;
import io.skep.common.config.SettingsReader;
import io.skep.common.testing.ExampleDirectory;
import io.skep.common.testing.SlapdServer;
import io.skep.llap.client.audit.AuditConfig;
import io.skep.service.doctor.Finding.Grade;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Breaks directories, sets of keys and the folder of the audit log. The doctor must report it. */
@Timeout(120)
final class TestLoginChecks {
    private static final String LDAP = "hive.server2.authentication.ldap.";

    @TempDir
    private Path folder;

    private static AuthenticationConfig config(Map<String, String> site) {
        SettingsReader reader = new SettingsReader(site);
        AuthenticationConfig config = AuthenticationConfig.of(reader, false);
        reader.finish();
        return config;
    }

    private static List<Finding> ldap(Map<String, String> changes) {
        Map<String, String> site =
                new HashMap<>(Map.of("hive.server2.authentication", "LDAP", "skep.authentication.ldap.timeout", "2s"));
        site.putAll(changes);
        Configuration all = new Configuration(false);
        site.forEach(all::set);
        return new LdapCheck(config(site), all).run();
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void directoriesAreAsked() throws Exception {
        assertThat(new LdapCheck(config(Map.of()), new Configuration(false)).run())
                .extracting(Finding::grade)
                .containsExactly(Grade.NOTE);
        assumeTrue(SlapdServer.isInstalled(), "slapd is installed");
        String away = "ldap://127.0.0.1:" + closedPort();
        try (SlapdServer slapd =
                SlapdServer.start(folder, ExampleDirectory.SUFFIX, ExampleDirectory.entries("ldap://127.0.0.1:1"))) {
            assertThat(ldap(Map.of(LDAP + "url", slapd.url() + " " + away)))
                    .extracting(Finding::grade)
                    .containsExactly(Grade.OK, Grade.FAILURE);
            Map<String, String> account = new HashMap<>(Map.of(
                    LDAP + "url",
                    slapd.url(),
                    LDAP + "baseDN",
                    ExampleDirectory.PEOPLE,
                    LDAP + "binddn",
                    ExampleDirectory.SERVICE,
                    LDAP + "bindpw",
                    ExampleDirectory.SERVICE_PASSWORD));
            assertThat(ldap(account)).extracting(Finding::grade).containsExactly(Grade.OK);
            account.put(LDAP + "bindpw", "pl4nted");
            assertThat(ldap(account)).singleElement().satisfies(finding -> {
                assertThat(finding.grade()).isEqualTo(Grade.FAILURE);
                assertThat(finding.text()).contains(slapd.url()).doesNotContain("pl4nted");
            });
        }
    }

    private static List<Finding> jwt(String urls) {
        return new JwtCheck(config(
                        Map.of("hive.server2.authentication", "JWT", "hive.server2.authentication.jwt.jwks.url", urls)))
                .run();
    }

    @Test
    void keysAreRead() throws IOException {
        assertThat(new JwtCheck(config(Map.of())).run())
                .extracting(Finding::grade)
                .containsExactly(Grade.NOTE);
        Path keys = Files.writeString(folder.resolve("keys.json"), new TestingTokens().publicKeys());
        assertThat(jwt(keys.toUri().toString())).extracting(Finding::grade).containsExactly(Grade.OK);
        Files.writeString(keys, "{}");
        assertThat(jwt(keys.toUri() + ",http://127.0.0.1:" + closedPort() + "/keys"))
                .extracting(Finding::grade)
                .containsExactly(Grade.FAILURE, Grade.FAILURE);
    }

    private List<Finding> audit(String... settings) throws IOException {
        Map<String, String> site = new HashMap<>(
                Map.of("skep.audit.folder", folder.resolve("audit").toString()));
        for (int i = 0; i < settings.length; i += 2) {
            site.put(settings[i], settings[i + 1]);
        }
        SettingsReader reader = new SettingsReader(site);
        AuditConfig config = AuditConfig.ofServer(reader, folder);
        reader.finish();
        return new AuditCheck(config).run();
    }

    @Test
    void theFolderOfTheAuditLogIsLookedAt() throws IOException {
        assertThat(audit()).extracting(Finding::grade).containsExactly(Grade.NOTE);
        assertThat(audit("hive.security.authorization.enabled", "true", "skep.audit.max-file-size", "1mb"))
                .extracting(Finding::grade)
                .containsExactly(Grade.OK);
        assertThat(audit("skep.audit.enabled", "true", "skep.audit.max-file-size", "1000tb"))
                .extracting(Finding::grade)
                .containsExactly(Grade.WARNING);
        Files.createFile(folder.resolve("audit"));
        assertThat(audit("skep.audit.enabled", "true"))
                .extracting(Finding::grade)
                .containsExactly(Grade.FAILURE);
    }
}
