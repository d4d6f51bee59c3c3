package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.testing.TestingKdc;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the settings for Kerberos, and what a server does not start with. */
final class TestKerberosSettings {
    @TempDir
    private static Path folder;

    private static TestingKdc kdc;

    @BeforeAll
    static void start() throws Exception {
        kdc = TestingKdc.start(folder);
    }

    @AfterAll
    static void stop() {
        kdc.close();
    }

    private static UserAuthentication open(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        AuthenticationConfig config = AuthenticationConfig.of(reader, true);
        reader.finish();
        return UserAuthentication.open(config, new Configuration(false));
    }

    private static void refused(Map<String, String> settings, String... texts) {
        assertThatThrownBy(() -> open(settings))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContainingAll(texts);
    }

    @Test
    void whatIsMissingOrWrongIsRefusedByName() throws Exception {
        refused(
                Map.of("hive.server2.authentication", "KERBEROS"),
                "hive.server2.authentication.kerberos.principal is missing",
                "hive.server2.authentication.kerberos.keytab is missing");
        refused(
                kdc.server("hive.server2.authentication.kerberos.principal", "hive@EXAMPLE.ORG"),
                "'hive@EXAMPLE.ORG' is not a principal like hive/_HOST@EXAMPLE.ORG");
        refused(kdc.server("hive.server2.thrift.sasl.qop", "strong"), "'strong' is not one of auth, auth-int");
        refused(Map.of("hive.server2.thrift.sasl.qop", "auth-conf"), "hive.server2.thrift.sasl.qop", "KERBEROS");
        refused(kdc.server("hadoop.security.auth_to_local", "RULE:"), "hadoop.security.auth_to_local is 'RULE:'");
    }

    @Test
    void keytabsAreReadAtTheStart() throws Exception {
        String setting = "hive.server2.authentication.kerberos.keytab";
        refused(kdc.server(setting, "/nowhere/k"), setting + " is '/nowhere/k', which does not exist");
        Path other = kdc.keytab("other", "other/localhost");
        refused(kdc.server(setting, other.toString()), "has no key for " + TestingKdc.SERVER);
        Path nonsense = Files.writeString(folder.resolve("nonsense"), "nonsense");
        Files.setPosixFilePermissions(nonsense, PosixFilePermissions.fromString("rw-------"));
        refused(kdc.server(setting, nonsense.toString()), "has no key for " + TestingKdc.SERVER);
        Files.setPosixFilePermissions(nonsense, PosixFilePermissions.fromString("rw-r-----"));
        refused(kdc.server(setting, nonsense.toString()), "is open to other users of this machine");
        refused(
                kdc.server("hive.server2.authentication.spnego.principal", "HTTP/localhost@EXAMPLE.ORG"),
                "hive.server2.authentication.spnego.keytab",
                "has no key for HTTP/localhost@EXAMPLE.ORG");
    }

    @Test
    void theNameOfThisMachineIsPartOfThePrincipal() throws Exception {
        String host = InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
        Path keytab = kdc.keytab("host", "hive/" + host);
        UserAuthentication authentication = open(kdc.server(
                "hive.server2.authentication.kerberos.principal",
                "hive/_HOST@EXAMPLE.ORG",
                "hive.server2.authentication.kerberos.keytab",
                keytab.toString()));
        assertThat(authentication.kerberos().orElseThrow().principal()).isEqualTo("hive/" + host + "@EXAMPLE.ORG");
        assertThat(authentication.passwords()).isEmpty();
        assertThat(authentication.config().verifies()).isTrue();
        assertThat(authentication.advice()).contains("hive.server2.authentication=KERBEROS", "principal=hive/" + host);
    }

    /** Distributions set them for all sites. */
    @Test
    void settingsOfKerberosHaveNoEffectForOtherClients() {
        UserAuthentication authentication = open(Map.of(
                "hive.server2.authentication.kerberos.principal", "hive/_HOST@EXAMPLE.ORG",
                "hive.server2.authentication.kerberos.keytab", "/nowhere/k"));
        assertThat(authentication.kerberos()).isEmpty();
        assertThat(authentication.passwords()).isPresent();
    }
}
