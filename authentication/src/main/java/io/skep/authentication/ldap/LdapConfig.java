package io.skep.authentication.ldap;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.regex.Pattern;

/**
 * Settings for the verification of passwords by LDAP directories. The password of the server's own account is not part
 * of it: {@link LdapDirectory} reads it.
 *
 * @param urls of directories with the same contents; present when LDAP is used
 * @param base name of the entry above users and groups, and where custom queries begin
 * @param domain what plain names of users get, as {@code ann@example.com}; absent: they become names of entries
 * @param guidKey attribute with the name of a user or group
 * @param userPatterns names of users' entries
 * @param groupPatterns names of groups' entries
 * @param groupMembershipKey attribute of a group with its members
 * @param userMembershipKey attribute of a user with his groups, if they are looked up there
 * @param groupClassKey class of groups
 * @param groups whose members may log in; empty: not restricted
 * @param users who may log in; empty: not restricted
 * @param customQuery filter that finds who may log in; replaces the lists of users and groups
 * @param userSearchFilter filter that finds the user; precedes the custom query
 * @param groupSearchFilter filter that finds a group of the user
 * @param groupBase where that search begins
 * @param account the server's own account, which searches for the entries of users
 * @param timeout limit of a verification
 * @param maxLogins number of verifications at a time
 */
public record LdapConfig(
        List<String> urls,
        Optional<String> base,
        Optional<String> domain,
        String guidKey,
        List<DnPattern> userPatterns,
        List<DnPattern> groupPatterns,
        String groupMembershipKey,
        Optional<String> userMembershipKey,
        String groupClassKey,
        List<String> groups,
        List<String> users,
        Optional<String> customQuery,
        Optional<String> userSearchFilter,
        Optional<String> groupSearchFilter,
        Optional<String> groupBase,
        Optional<String> account,
        Duration timeout,
        int maxLogins) {
    private static final String PREFIX = "hive.server2.authentication.ldap.";

    /** Names of hosts may have characters here that they may not have in other URLs. */
    private static final Pattern URL = Pattern.compile("(?i)ldaps?://[^/?#@\\s]+(/\\S*)?");

    private static final Pattern PLAIN = Pattern.compile("(?i)^ldap://(?!localhost\\b|127\\.|\\[::1\\])");

    private static final PropertyType<Optional<String>> DN = new PropertyType<>("the name of an entry (a DN)", text -> {
        if (!text.isEmpty() && !DnPattern.isName(text)) {
            throw new IllegalArgumentException();
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    });
    private static final PropertyType<List<String>> NAMES =
            new PropertyType<>("names, separated by commas without blanks", LdapConfig::names);
    private static final PropertyType<String> PATTERNS = new PropertyType<>(
            "names of entries with %s",
            text -> {
                DnPattern.listOf(text, Optional.empty(), "");
                return text;
            });
    private static final PropertyType<String> ATTRIBUTE = new PropertyType<>("the name of an attribute", text -> {
        if (!text.matches("[A-Za-z0-9.;-]+")) {
            throw new IllegalArgumentException();
        }
        return text;
    });

    public static final Property<List<String>> URLS = new Property<>(
            PREFIX + "url",
            new PropertyType<>("URLs with ldaps or ldap and a host, separated by blanks", LdapConfig::urls),
            "",
            "LDAP directories with the same contents; the next one is asked when one cannot be reached.");
    static final Property<Optional<String>> BASE =
            new Property<>(PREFIX + "baseDN", DN, "", "Entry above users and groups, where searches begin.");
    static final Property<Optional<String>> DOMAIN = new Property<>(
            PREFIX + "Domain",
            PropertyType.optionalText(),
            "",
            "Domain of users (Active Directory): ann logs in as ann@DOMAIN.");
    static final Property<String> GUID_KEY =
            new Property<>(PREFIX + "guidKey", ATTRIBUTE, "uid", "Attribute with the name of a user or group.");
    static final Property<String> USER_PATTERNS = new Property<>(
            PREFIX + "userDNPattern",
            PATTERNS,
            "",
            "Entries of users, separated by colons; empty: guidKey=%s below baseDN.");
    static final Property<String> GROUP_PATTERNS = new Property<>(
            PREFIX + "groupDNPattern",
            PATTERNS,
            "",
            "Entries of groups, separated by colons; empty: guidKey=%s below baseDN.");
    static final Property<String> GROUP_MEMBERSHIP = new Property<>(
            PREFIX + "groupMembershipKey", ATTRIBUTE, "member", "Attribute of a group with its members.");
    static final Property<Optional<String>> USER_MEMBERSHIP = new Property<>(
            PREFIX + "userMembershipKey",
            new PropertyType<>(
                    ATTRIBUTE.description(),
                    text -> text.isEmpty() ? Optional.empty() : Optional.of(ATTRIBUTE.parse(text))),
            "",
            "Attribute of a user with the groups, such as memberOf; it replaces groupMembershipKey.");
    static final Property<String> GROUP_CLASS =
            new Property<>(PREFIX + "groupClassKey", ATTRIBUTE, "groupOfNames", "Object class of groups.");
    static final Property<List<String>> GROUPS =
            new Property<>(PREFIX + "groupFilter", NAMES, "", "Groups whose members may log in, separated by commas.");
    static final Property<List<String>> USERS =
            new Property<>(PREFIX + "userFilter", NAMES, "", "Users who may log in, separated by commas.");
    static final Property<Optional<String>> CUSTOM_QUERY = new Property<>(
            PREFIX + "customLDAPQuery",
            PropertyType.optionalText(),
            "",
            "Filter that finds the users who may log in, or the groups with them; %s is the user. It replaces "
                    + "userFilter and groupFilter.");
    static final Property<Optional<String>> USER_SEARCH = new Property<>(
            PREFIX + "userSearchFilter",
            PropertyType.optionalText(),
            "",
            "Filter that finds exactly the user, {0}, below baseDN. It replaces the three others.");
    static final Property<Optional<String>> GROUP_SEARCH = new Property<>(
            PREFIX + "groupSearchFilter",
            PropertyType.optionalText(),
            "",
            "Filter that finds a group of the user; {0} is the user's entry, {1} the user.");
    static final Property<Optional<String>> GROUP_BASE =
            new Property<>(PREFIX + "groupBaseDN", DN, "", "Entry above the groups of groupSearchFilter.");
    static final Property<Optional<String>> ACCOUNT = new Property<>(
            PREFIX + "binddn",
            PropertyType.optionalText(),
            "",
            "The server's own account, which searches for users. Without one, users search for themselves.");
    static final Property<Optional<String>> ACCOUNT_PASSWORD = new Property<>(
            PREFIX + "bindpw",
            PropertyType.optionalText(),
            "",
            "Password of that account; may be in a credential provider of Hadoop instead.");
    static final Property<Duration> TIMEOUT = new Property<>(
            "skep.authentication.ldap.timeout",
            new PropertyType<>(
                    PropertyType.time(Duration.ofMillis(1)).description() + ", more than 0", LdapConfig::timeout),
            "10s",
            "Time that a login may wait for directories.");
    static final Property<Integer> MAX_LOGINS = new Property<>(
            "skep.authentication.ldap.max-logins",
            PropertyType.integer(1, 10_000),
            "32",
            "Number of logins that are verified at a time; further ones wait.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            URLS,
            BASE,
            DOMAIN,
            GUID_KEY,
            USER_PATTERNS,
            GROUP_PATTERNS,
            GROUP_MEMBERSHIP,
            USER_MEMBERSHIP,
            GROUP_CLASS,
            GROUPS,
            USERS,
            CUSTOM_QUERY,
            USER_SEARCH,
            GROUP_SEARCH,
            GROUP_BASE,
            ACCOUNT,
            ACCOUNT_PASSWORD,
            TIMEOUT,
            MAX_LOGINS);

    /** Returns the directories on other machines to which passwords go without encryption. */
    List<String> plainUrls() {
        return urls.stream().filter(url -> PLAIN.matcher(url).find()).toList();
    }

    public static LdapConfig of(SettingsReader reader) {
        Optional<String> base = reader.read(BASE);
        String guidKey = reader.read(GUID_KEY);
        return new LdapConfig(
                reader.read(URLS),
                base,
                reader.read(DOMAIN),
                guidKey,
                DnPattern.listOf(reader.read(USER_PATTERNS), base, guidKey),
                DnPattern.listOf(reader.read(GROUP_PATTERNS), base, guidKey),
                reader.read(GROUP_MEMBERSHIP),
                reader.read(USER_MEMBERSHIP),
                reader.read(GROUP_CLASS),
                reader.read(GROUPS),
                reader.read(USERS),
                reader.read(CUSTOM_QUERY),
                reader.read(USER_SEARCH),
                reader.read(GROUP_SEARCH),
                reader.read(GROUP_BASE),
                reader.read(ACCOUNT),
                reader.read(TIMEOUT),
                reader.read(MAX_LOGINS));
    }

    /** Blanks belong to a name, as in Hive. */
    private static List<String> names(String text) {
        StringTokenizer names = new StringTokenizer(text, ",");
        String[] all = new String[names.countTokens()];
        Arrays.setAll(all, _ -> names.nextToken());
        return List.of(all);
    }

    private static List<String> urls(String text) {
        List<String> urls = Arrays.stream(text.split("\\s+", -1))
                .filter(url -> !url.isEmpty())
                .toList();
        if (!urls.stream().allMatch(url -> URL.matcher(url).matches())) {
            throw new IllegalArgumentException(text);
        }
        return urls;
    }

    private static Duration timeout(String text) {
        Duration timeout = PropertyType.time(Duration.ofMillis(1)).parse(text);
        if (timeout.toMillis() < 2 || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(text);
        }
        return timeout;
    }
}
