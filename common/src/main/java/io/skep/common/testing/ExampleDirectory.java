package io.skep.common.testing;

import java.util.List;

/**
 * Entries of a directory for tests: users below three units, groups of several classes that name them, and users who
 * name their groups by the attribute {@code manager}. The password of each is {@code pw-} and the first part of its
 * name.
 */
public final class ExampleDirectory {
    public static final String SUFFIX = "dc=example,dc=com";
    public static final String PEOPLE = "ou=People," + SUFFIX;
    public static final String STAFF = "ou=Staff," + SUFFIX;
    public static final String CLOSED = "ou=Closed," + SUFFIX;
    public static final String GROUPS = "ou=Groups," + SUFFIX;
    public static final String SERVICE = "cn=service," + SUFFIX;
    public static final String SERVICE_PASSWORD = "pw-service";

    private ExampleDirectory() {}

    /**
     * Returns the entries in LDIF.
     *
     * @param referral the URL that the entry {@code uid=far} refers to
     */
    public static String entries(String referral) {
        StringBuilder text = new StringBuilder("dn: " + SUFFIX + "\nobjectClass: domain\ndc: example\n\n");
        for (String unit : List.of("People", "Staff", "Closed", "Groups")) {
            text.append("dn: ou=%s,%s\nobjectClass: organizationalUnit\nou: %s\n\n".formatted(unit, SUFFIX, unit));
        }
        text.append("dn: " + SERVICE + "\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\n"
                + "cn: service\nuserPassword: " + SERVICE_PASSWORD + "\n\n");
        for (String user : List.of("ann", "bob", "o'neil", "star*man", "par(en)", "ann@partner.com", "twin", "x y")) {
            person(text, user, user, PEOPLE, user.equals("ann") ? "devs" : "ops");
        }
        person(text, "back\\slash", "back\\\\slash", PEOPLE, "devs");
        person(text, "com,ma", "com\\,ma", PEOPLE, "devs");
        person(text, "dave", "dave", STAFF, "devs");
        person(text, "twin", "twin", STAFF, "devs");
        person(text, "eve", "eve", CLOSED, "devs");
        text.append("dn: uid=far," + PEOPLE + "\nobjectClass: referral\nobjectClass: extensibleObject\nuid: far\nref: "
                + referral + "\n\n");
        group(text, "devs", "groupOfNames", "member", "uid=ann," + PEOPLE, "uid=dave," + STAFF, "uid=eve," + CLOSED);
        group(text, "ops", "groupOfNames", "member", "uid=bob," + PEOPLE, "uid=com\\,ma," + PEOPLE);
        group(text, "r(d)", "groupOfNames", "member", "uid=par(en)," + PEOPLE, "uid=ann," + PEOPLE);
        group(text, "unique", "groupOfUniqueNames", "uniqueMember", "uid=bob," + PEOPLE);
        text.append("dn: cn=posix," + GROUPS + "\nobjectClass: posixGroup\ncn: posix\ngidNumber: 500\nmemberUid: ann\n"
                + "memberUid: dave\n\n");
        return text.toString();
    }

    /** @param named the name as a part of the entry's name */
    private static void person(StringBuilder text, String name, String named, String above, String group) {
        text.append("dn: uid=" + named + "," + above + "\nobjectClass: inetOrgPerson\nuid: " + name + "\ncn: The "
                + name + "\nsn: " + name + "\nmanager: cn=" + group + "," + GROUPS + "\nuserPassword: pw-" + name
                + "\n\n");
    }

    private static void group(StringBuilder text, String name, String type, String key, String... members) {
        text.append("dn: cn=" + name + "," + GROUPS + "\nobjectClass: " + type + "\ncn: " + name + "\n");
        for (String member : members) {
            text.append(key + ": " + member + "\n");
        }
        text.append('\n');
    }
}
