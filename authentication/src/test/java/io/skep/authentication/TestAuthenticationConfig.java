package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TestAuthenticationConfig {
    private static final String PREFIX = "hive.server2.authentication";
    private static final Map<String, String> COMPLETE = Map.of(
            PREFIX + ".ldap.url",
            "ldaps://one.example.com ldap://two:3389",
            PREFIX + ".jwt.jwks.url",
            "https://id.example.com/keys, file:///etc/keys.json",
            "skep.authentication.user-file",
            "users");

    private static AuthenticationConfig read(Map<String, String> settings, boolean binary) {
        SettingsReader reader = new SettingsReader(settings);
        AuthenticationConfig config = AuthenticationConfig.of(reader, binary);
        reader.finish();
        return config;
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(name, value);
        return all;
    }

    private static void assertRefused(Map<String, String> settings, boolean binary, String setting) {
        assertThatThrownBy(() -> read(settings, binary))
                .as(settings.toString())
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining(setting);
    }

    @Test
    void tokensGoTogetherWithPasswords() {
        for (String modes : List.of("NONE", "nosasl", "FILE", "ldap", "JWT", "JWT,LDAP", "ldap, jwt", "FILE,JWT")) {
            AuthenticationConfig config = read(with(COMPLETE, PREFIX, modes), false);
            assertThat(config.verifies()).as(modes).isEqualTo(!modes.startsWith("NO") && !modes.startsWith("no"));
        }
        for (String modes :
                List.of("", "LDAP,FILE", "NONE,JWT", "NOSASL,JWT", "NONE,NOSASL", "JWT,", "SAML", "CUSTOM", "PAM")) {
            assertRefused(with(COMPLETE, PREFIX, modes), false, PREFIX);
        }
    }

    @Test
    void whatAModeNeedsIsRequired() {
        assertRefused(Map.of(PREFIX, "LDAP"), true, PREFIX + ".ldap.url");
        assertRefused(Map.of(PREFIX, "FILE"), true, "skep.authentication.user-file");
        assertRefused(Map.of(PREFIX, "JWT"), false, PREFIX + ".jwt.jwks.url");
        assertRefused(with(COMPLETE, PREFIX, "JWT"), true, "hive.server2.transport.mode=http");
        assertRefused(with(COMPLETE, PREFIX, "JWT,LDAP"), true, "hive.server2.transport.mode=http");
        assertThat(read(with(COMPLETE, PREFIX, "LDAP"), true).ldap().urls()).hasSize(2);
        assertThat(read(with(COMPLETE, PREFIX + ".ldap.url", "LDAP://a_b:389/dc=x ldaps://[::1]:636/"), true)
                        .ldap()
                        .urls())
                .hasSize(2);
        assertThat(read(with(COMPLETE, PREFIX, "JWT"), false).jwt().keyUrls()).hasSize(2);
    }

    @Test
    void valuesAreChecked() {
        for (String url :
                List.of("example.com", "http://example.com", "ldap:///dc=example", "ldap://a b", "ldap://u:p@a")) {
            assertRefused(with(COMPLETE, PREFIX + ".ldap.url", url), true, PREFIX + ".ldap.url");
        }
        for (String url : List.of("ftp://example.com/keys", "keys.json", "file://host/keys", "https:///keys", "a b")) {
            assertRefused(with(COMPLETE, PREFIX + ".jwt.jwks.url", url), true, PREFIX + ".jwt.jwks.url");
        }
        for (String name : List.of("baseDN", "groupBaseDN", "userDNPattern", "groupDNPattern", "guidKey")) {
            assertRefused(with(COMPLETE, PREFIX + ".ldap." + name, "not(a)name"), true, PREFIX + ".ldap." + name);
        }
        for (String timeout : List.of("0", "-1s", "2h", "soon")) {
            assertRefused(
                    with(COMPLETE, "skep.authentication.ldap.timeout", timeout),
                    true,
                    "skep.authentication.ldap.timeout");
        }
    }
}
