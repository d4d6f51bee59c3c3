package io.skep.authentication.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests names of clients in names of entries and in filters. */
final class TestLdapNames {
    @Test
    void filtersMatchOnlyTheText() {
        assertThat(FilterText.escaped("a*b(c)d\\e\0f=é,'\"&|!")).isEqualTo("a\\2ab\\28c\\29d\\5ce\\00f=é,'\"&|!");
    }

    @Test
    void namesOfEntriesHaveOnePartForTheUser() {
        DnPattern pattern = new DnPattern("uid=%s,ou=People,dc=example,dc=com");
        assertThat(pattern.principal("ann")).isEqualTo("uid=ann,ou=People,dc=example,dc=com");
        assertThat(pattern.principal("a,ou=Closed+b=c;d<e>\"#\\"))
                .isEqualTo("uid=a\\,ou\\=Closed\\+b\\=c\\;d\\<e\\>\\\"\\#\\\\,ou=People,dc=example,dc=com");
        assertThat(pattern.principal("#a ")).startsWith("uid=\\#a\\ ,");
        assertThat(pattern.filter("a*)(uid=b")).isEqualTo("(uid=a\\2a\\29\\28uid=b)");
        assertThat(pattern.parent()).isEqualTo("ou=People,dc=example,dc=com");
        assertThat(pattern.base()).isEqualTo(pattern.parent());
        assertThat(new DnPattern("ou=Groups,dc=example").base()).isEqualTo("ou=Groups,dc=example");
    }

    @Test
    void patternsAreSeparatedByColons() {
        assertThat(DnPattern.listOf("cn=%s,ou=a,dc=b:uid=%s,dc=b", Optional.of("dc=x"), "uid"))
                .extracting(DnPattern::text)
                .containsExactly("cn=%s,ou=a,dc=b", "uid=%s,dc=b");
        assertThat(DnPattern.listOf(" ", Optional.of("dc=x"), "cn"))
                .extracting(DnPattern::text)
                .containsExactly("cn=%s,dc=x");
        assertThat(DnPattern.listOf("", Optional.empty(), "cn")).isEmpty();
        for (String wrong : List.of("x", "uid=%s", "uid=%s,dc=a:", "ou", "uid=%s;=")) {
            assertThatThrownBy(() -> DnPattern.listOf(wrong, Optional.empty(), "uid"))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void directoriesWithoutEncryptionAreNamed() {
        LdapConfig config = LdapConfig.of(new SettingsReader(Map.of(
                "hive.server2.authentication.ldap.url",
                "ldaps://a ldap://b:389/dc=x ldap://localhost ldap://127.0.0.1:1 ldap://[::1]/ ldap://localhosts")));
        assertThat(config.plainUrls()).containsExactly("ldap://b:389/dc=x", "ldap://localhosts");
    }

    @Test
    void domainsAndEntries() {
        assertThat(new LoginName("ann@a/b").withoutDomain().text()).isEqualTo("ann");
        assertThat(new LoginName("ann/h@b").withoutDomain().text()).isEqualTo("ann");
        assertThat(new LoginName("@b").hasDomain()).isFalse();
        assertThat(new LoginName("ann").withoutDomain().text()).isEqualTo("ann");
        assertThat(new LoginName("ann@Example.com").isOf("example.COM")).isTrue();
        assertThat(new LoginName("ann@example.com.org").isOf("example.com")).isFalse();
        assertThat(new LoginName("ann/example.com").isOf("example.com")).isFalse();
        assertThat(new LoginName("uid=a@example.com").isOf("example.com")).isFalse();
        assertThat(new LoginName("uid=com\\,ma,dc=a").shortName()).contains("com,ma");
        assertThat(new LoginName("uid=a+cn=b,dc=a").shortName()).isEmpty();
        assertThat(new LoginName("=").shortName()).isEmpty();
        assertThat(new LoginName("uid=#04024869,dc=a").shortName())
                .as("a value of bytes")
                .isEmpty();
    }
}
