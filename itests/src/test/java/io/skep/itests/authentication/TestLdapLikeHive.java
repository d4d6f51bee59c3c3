package io.skep.itests.authentication;

import static io.skep.common.testing.ExampleDirectory.CLOSED;
import static io.skep.common.testing.ExampleDirectory.GROUPS;
import static io.skep.common.testing.ExampleDirectory.PEOPLE;
import static io.skep.common.testing.ExampleDirectory.SERVICE;
import static io.skep.common.testing.ExampleDirectory.SERVICE_PASSWORD;
import static io.skep.common.testing.ExampleDirectory.STAFF;
import static io.skep.common.testing.ExampleDirectory.SUFFIX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.authentication.ldap.LdapConfig;
import io.skep.authentication.ldap.LdapDirectory;
import io.skep.common.config.SettingsReader;
import io.skep.common.testing.ExampleDirectory;
import io.skep.common.testing.SlapdServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.naming.NamingException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares logins with those of Hive: the same settings, users and directory, a real slapd. Differences are named in
 * {@link #HIVE_FAILS} and {@link #HIVE_IS_UNSAFE}.
 */
@Timeout(300)
final class TestLdapLikeHive {
    private static final String PREFIX = "hive.server2.authentication.ldap.";
    private static final String BOTH = "uid=%s," + PEOPLE + ":uid=%s," + STAFF;
    private static final String ALL = BOTH + ":uid=%s," + CLOSED;
    private static final String IN_GROUPS = "cn=%s," + GROUPS;
    private static final String MEMBER = "(&(objectClass=groupOfNames)(member={0}))";

    /** Users and a group with the same attribute for their names, as in Active Directory. */
    private static final String MORE = """
            dn: cn=mia,%1$s
            objectClass: inetOrgPerson
            uid: mia
            cn: mia
            sn: mia
            manager: cn=devs,%2$s
            userPassword: pw-mia

            dn: cn=max,%1$s
            objectClass: inetOrgPerson
            uid: max
            cn: max
            sn: max
            manager: cn=ops,%2$s
            userPassword: pw-max

            """.formatted(PEOPLE, GROUPS);

    private record Login(String user, String password) {
        static Login of(String user) {
            return new Login(user, "pw-" + user);
        }
    }

    private static final List<Login> LOGINS = List.of(
            Login.of("ann"),
            new Login("ann", "pw-bob"),
            new Login("ann", "pw-ann "),
            new Login("ann", ""),
            new Login("ann", "  "),
            new Login("ann", "\0pw-ann"),
            new Login("ANN", "pw-ann"),
            Login.of("bob"),
            Login.of("dave"),
            Login.of("eve"),
            Login.of("mia"),
            Login.of("max"),
            Login.of("twin"),
            Login.of("far"),
            Login.of("nobody"),
            Login.of("o'neil"),
            Login.of("x y"),
            Login.of("service"),
            new Login("uid=ann," + PEOPLE, "pw-ann"),
            new Login("UID=Ann, " + PEOPLE, "pw-ann"),
            new Login("uid=ann," + PEOPLE, ""),
            new Login("uid=ann," + SUFFIX, "pw-ann"),
            new Login("uid=dave," + STAFF, "pw-dave"),
            new Login("uid=nobody," + PEOPLE, "pw-ann"),
            new Login(SERVICE, SERVICE_PASSWORD),
            new Login("ann@example.com", "pw-ann"),
            new Login("ann/host", "pw-ann"));

    /** Hive puts these into filters and names of entries as they are. */
    private static final List<Login> HIVE_FAILS = List.of(
            Login.of("par(en)"),
            Login.of("com,ma"),
            Login.of("star*man"),
            Login.of("back\\slash"),
            Login.of("ann@partner.com"));

    /** Hive finds another user by these. */
    private static final List<Login> HIVE_IS_UNSAFE = List.of(
            new Login("*", "pw-ann"),
            new Login("an*", "pw-ann"),
            new Login("ann)(uid=*", "pw-ann"),
            new Login("uid=an*," + PEOPLE, "pw-ann"),
            new Login("an\\6e", "pw-ann"),
            new Login("ann,ou=People," + SUFFIX, "pw-ann"),
            new Login("ann ", "pw-ann"),
            new Login(" ann", "pw-ann"));

    /** Returns settings without their common prefix, by a name for them. */
    private static Map<String, Map<String, String>> settings(String closedUrl, String url) {
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        addUsers(all, closedUrl, url);
        addGroups(all);
        addQueries(all);
        addSearches(all);
        addAccounts(all);
        return all;
    }

    private static void addUsers(Map<String, Map<String, String>> all, String closedUrl, String url) {
        all.put("base", Map.of("baseDN", PEOPLE));
        all.put("base of all", Map.of("baseDN", SUFFIX));
        all.put("no base", Map.of());
        all.put("domain", Map.of("baseDN", PEOPLE, "Domain", "example.com"));
        all.put("key cn", Map.of("baseDN", PEOPLE, "guidKey", "cn"));
        all.put("patterns", Map.of("userDNPattern", BOTH));
        all.put("second url", Map.of("baseDN", PEOPLE, "url", closedUrl + " " + url));
        all.put("users", Map.of("userDNPattern", BOTH, "userFilter", "ann,dave,twin,service"));
        all.put("users with blanks", Map.of("userDNPattern", BOTH, "userFilter", "bob, ann"));
        all.put("users in capitals", Map.of("baseDN", PEOPLE, "userFilter", "ANN,O'NEIL"));
        all.put("no users", Map.of("baseDN", PEOPLE, "userFilter", ""));
    }

    private static void addGroups(Map<String, Map<String, String>> all) {
        all.put("groups", Map.of("userDNPattern", BOTH, "groupDNPattern", IN_GROUPS, "groupFilter", "devs"));
        all.put("groups elsewhere", Map.of("baseDN", PEOPLE, "groupFilter", "devs"));
        all.put("groups by base", Map.of("userDNPattern", BOTH, "baseDN", SUFFIX, "groupFilter", "DEVS,ops"));
        all.put("group r(d)", Map.of("baseDN", PEOPLE, "groupDNPattern", IN_GROUPS, "groupFilter", "r(d)"));
        all.put(
                "users and groups",
                Map.of(
                        "userDNPattern",
                        BOTH,
                        "groupDNPattern",
                        GROUPS,
                        "groupFilter",
                        "devs",
                        "userFilter",
                        "ann,bob"));
        all.put(
                "posix groups",
                Map.of(
                        "userDNPattern", BOTH,
                        "groupDNPattern", IN_GROUPS,
                        "groupFilter", "posix",
                        "groupMembershipKey", "memberUid",
                        "groupClassKey", "posixGroup"));
        all.put(
                "unique members",
                Map.of(
                        "baseDN", PEOPLE,
                        "groupDNPattern", IN_GROUPS,
                        "groupFilter", "unique",
                        "groupMembershipKey", "uniqueMember",
                        "groupClassKey", "groupOfUniqueNames"));
        Map<String, String> named =
                Map.of("baseDN", PEOPLE, "guidKey", "cn", "groupDNPattern", IN_GROUPS, "userMembershipKey", "manager");
        all.put("named groups", with(named, "groupFilter", "devs"));
        all.put("named groups, several", with(named, "groupFilter", "none,devs,ops"));
        all.put("named groups, unknown", with(named, "groupFilter", "none"));
    }

    private static void addQueries(Map<String, Map<String, String>> all) {
        all.put("query", Map.of("baseDN", PEOPLE, "customLDAPQuery", "(&(objectClass=person)(uid=ann))"));
        all.put("query for all", Map.of("baseDN", PEOPLE, "customLDAPQuery", "(objectClass=person)"));
        all.put("query, wrong", Map.of("baseDN", PEOPLE, "customLDAPQuery", "(&(objectClass=person)"));
        all.put(
                "query for groups",
                Map.of(
                        "userDNPattern",
                        BOTH,
                        "baseDN",
                        GROUPS,
                        "customLDAPQuery",
                        "(&(objectClass=groupOfNames)(cn=devs))"));
        all.put(
                "query with a user",
                Map.of("userDNPattern", BOTH, "baseDN", SUFFIX, "customLDAPQuery", "(&(objectClass=person)(uid=%s))"));
        all.put("query over lists", Map.of("baseDN", PEOPLE, "customLDAPQuery", "(uid=bob)", "userFilter", "ann"));
    }

    private static void addSearches(Map<String, Map<String, String>> all) {
        all.put("search", Map.of("baseDN", PEOPLE, "userSearchFilter", "(uid={0})"));
        all.put(
                "search by group",
                Map.of("baseDN", PEOPLE, "userSearchFilter", "(&(uid={0})(manager=cn=ops," + GROUPS + "))"));
        all.put(
                "search for groups",
                Map.of(
                        "baseDN", PEOPLE,
                        "userSearchFilter", "(uid={0})",
                        "groupSearchFilter", MEMBER,
                        "groupBaseDN", GROUPS));
        all.put(
                "search for names",
                Map.of(
                        "baseDN",
                        PEOPLE,
                        "userSearchFilter",
                        "(uid={0})",
                        "groupSearchFilter",
                        "(memberUid={1})",
                        "groupBaseDN",
                        GROUPS));
        all.put(
                "search for groups only",
                Map.of("baseDN", PEOPLE, "groupSearchFilter", "(memberUid={1})", "groupBaseDN", GROUPS));
        all.put("group base only", Map.of("baseDN", PEOPLE, "groupBaseDN", GROUPS));
    }

    private static void addAccounts(Map<String, Map<String, String>> all) {
        Map<String, String> account = Map.of("binddn", SERVICE, "bindpw", SERVICE_PASSWORD);
        all.put("account", with(account, "baseDN", PEOPLE));
        all.put("account over all", with(account, "baseDN", SUFFIX));
        all.put("account, patterns", with(account, "userDNPattern", ALL));
        all.put("account, key cn", with(account, "baseDN", PEOPLE, "guidKey", "cn"));
        all.put("account, users", with(account, "userDNPattern", ALL, "userFilter", "ann,eve,twin"));
        all.put(
                "account, groups",
                with(account, "userDNPattern", ALL, "groupDNPattern", IN_GROUPS, "groupFilter", "devs"));
        all.put("no account, groups", Map.of("userDNPattern", ALL, "groupDNPattern", GROUPS, "groupFilter", "devs"));
        all.put(
                "account, query",
                with(account, "baseDN", SUFFIX, "customLDAPQuery", "(&(objectClass=person)(uid=%s))"));
        all.put("account, search", with(account, "baseDN", SUFFIX, "userSearchFilter", "(uid={0})"));
        all.put("account, domain", with(account, "baseDN", PEOPLE, "Domain", "example.com"));
        all.put("account, wrong password", Map.of("baseDN", PEOPLE, "binddn", SERVICE, "bindpw", "wrong"));
        all.put("account by name", Map.of("baseDN", PEOPLE, "binddn", "ann", "bindpw", "pw-ann"));
    }

    private static Map<String, String> with(Map<String, String> settings, String... more) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private static LdapDirectory directory(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        LdapConfig config = LdapConfig.of(reader);
        reader.finish();
        Configuration site = new Configuration(false);
        settings.forEach(site::set);
        return LdapDirectory.open(config, site);
    }

    private static boolean accepts(LdapDirectory directory, Login login) {
        try {
            directory.verify(login.user(), login.password());
            return true;
        } catch (NamingException e) {
            return false;
        }
    }

    @Test
    void loginsAreAcceptedAsHiveAcceptsThem(@TempDir Path folder) throws Exception {
        assumeTrue(SlapdServer.isInstalled(), "slapd is installed");
        String entries = ExampleDirectory.entries("ldap://127.0.0.1:1/dc=elsewhere") + MORE;
        List<String> differences = new ArrayList<>();
        int compared = 0;
        int accepted = 0;
        try (SlapdServer slapd = SlapdServer.start(folder, SUFFIX, entries);
                HiveLdap hive = new HiveLdap()) {
            for (var named : settings("ldap://127.0.0.1:1", slapd.url()).entrySet()) {
                Map<String, String> site = new LinkedHashMap<>(Map.of(PREFIX + "url", slapd.url()));
                named.getValue().forEach((name, value) -> site.put(PREFIX + name, value));
                HiveLdap.Logins ofHive = hive.logins(site);
                LdapDirectory own = directory(site);
                for (Login login : LOGINS) {
                    boolean expected =
                            ofHive.refusal(login.user(), login.password()).isEmpty();
                    if (accepts(own, login) != expected) {
                        differences.add(named.getKey() + ": " + login + ": Hive "
                                + ofHive.refusal(login.user(), login.password()));
                    }
                    compared++;
                    accepted += expected ? 1 : 0;
                }
                for (Login login : HIVE_FAILS) {
                    boolean expected =
                            ofHive.refusal(login.user(), login.password()).isEmpty();
                    if (expected && !accepts(own, login)) {
                        differences.add(named.getKey() + ": " + login + ": Hive accepts it");
                    }
                    compared++;
                }
                for (Login login : HIVE_IS_UNSAFE) {
                    if (accepts(own, login)) {
                        differences.add(named.getKey() + ": " + login + ": is unsafe");
                    }
                }
            }
        }
        System.out.println(compared + " logins are compared, Hive accepts " + accepted);
        assertThat(differences).isEmpty();
        assertThat(accepted).isGreaterThan(150);
        assertThat(compared - accepted).isGreaterThan(150);
    }
}
