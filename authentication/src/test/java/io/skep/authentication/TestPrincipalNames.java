package io.skep.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.testing.TestingKdc;
import java.nio.file.Path;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the user names of principals. The rules are applied by Hadoop's own class, which has tests of its own. */
final class TestPrincipalNames {
    private static void refused(PrincipalNames names, String principal, String why) {
        assertThatThrownBy(() -> names.user(principal))
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("hadoop.security.auth_to_local")
                .hasMessageContaining(why);
    }

    @Test
    void onlyTheDefaultRealmIsAccepted(@TempDir Path folder) throws Exception {
        try (TestingKdc _ = TestingKdc.start(folder)) {
            PrincipalNames names = new PrincipalNames("DEFAULT", "hadoop");
            assertThat(names.user("ann@EXAMPLE.ORG")).isEqualTo("ann");
            assertThat(names.user("ann/admin@EXAMPLE.ORG")).isEqualTo("ann");
            refused(names, "ann@OTHER.ORG", "No rules applied to ann@OTHER.ORG");
        }
    }

    @Test
    void rulesAreThoseOfHadoop() throws Exception {
        PrincipalNames names = new PrincipalNames(
                "RULE:[1:$1@$0](.*@PARTNER\\.ORG)s/@.*//L\nRULE:[2:$1-$2](hive-.*)s/.*/service/ "
                        + "RULE:[2:$1;$2](^.*;admin$)s/;admin$//",
                "hadoop");
        assertThat(names.user("Ann@PARTNER.ORG")).isEqualTo("ann");
        assertThat(names.user("hive/a.example.org@X")).isEqualTo("service");
        assertThat(names.user("bob/admin@X")).isEqualTo("bob");
        refused(names, "bob@X", "No rules applied");
        assertThat(new PrincipalNames("RULE:[1:$1@$0](.*)", "mit").user("ann@X"))
                .isEqualTo("ann@X");
        refused(new PrincipalNames("RULE:[1:$1@$0](.*)", "hadoop"), "ann@X", "ann@X");
        assertThatThrownBy(() -> new PrincipalNames("RULE:[1:$1", "hadoop"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Hadoop's login sets rules that accept the principals of every realm. */
    @Test
    void rulesOfHadoopsLoginAreNotTheseRules() throws Exception {
        boolean hadRules = KerberosName.hasRulesBeenSet();
        String before = KerberosName.getRules();
        PrincipalNames names = new PrincipalNames("RULE:[1:$1@$0](.*@MINE)s/@.*//", "hadoop");
        try {
            assertThat(KerberosName.getRules()).as("they are left alone").isEqualTo(before);
            KerberosName.setRules("RULE:[1:$1] RULE:[2:$1]");
            assertThat(names.user("ann@MINE")).isEqualTo("ann");
            refused(names, "ann@OTHER.ORG", "No rules applied");
        } finally {
            KerberosName.setRules(hadRules ? before : null);
        }
    }

    @Test
    void namesAreThoseOfUsers() {
        PrincipalNames names = new PrincipalNames("RULE:[1:$1]", "hadoop");
        refused(names, "a\nb@X", "control characters");
        refused(names, "a".repeat(257) + "@X", "256 bytes");
        refused(names, "a/b/c@X", "Malformed");
        refused(new PrincipalNames("RULE:[1:$1](.*)s/.*//", "hadoop"), "ann@X", "not empty");
    }
}
