package io.skep.authentication.ldap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Looks up users and groups with the rights of a session. Names of users come from clients and are escaped. Filters and
 * names of groups come from the site's settings and are used as they are.
 */
final class LdapUsers {
    private static final String CLASSES = Stream.of("person", "user", "inetOrgPerson")
            .map(name -> "(objectClass=" + name + ")")
            .collect(Collectors.joining("", "(|", ")"));

    /** Stands for the name of the user's entry. */
    private static final String ENTRY = "{0}";

    /** Enough to see that something is not unique. */
    private static final int TWO = 2;

    private final LdapConfig config;
    private final LdapSession session;

    LdapUsers(LdapConfig config, LdapSession session) {
        this.config = config;
        this.session = session;
    }

    /** Returns the name of the user's entry, if there is exactly one. */
    Optional<String> find(LoginName user) throws NamingException {
        if (user.isDn()) {
            return findByDn(user.text());
        }
        for (DnPattern pattern : config.userPatterns()) {
            List<LdapEntry> found =
                    session.search(pattern.parent(), pattern.filter(user.text()), TWO, Optional.empty());
            if (!found.isEmpty()) {
                return only(found);
            }
        }
        String name = FilterText.escaped(user.text());
        String filter = "(&" + CLASSES + "(|(uid=" + name + ")(sAMAccountName=" + name + ")))";
        return only(searchAll(bases(config.userPatterns()), filter, TWO));
    }

    /** The entry may be anywhere below the one above the name. */
    private Optional<String> findByDn(String dn) throws NamingException {
        Optional<Rdn> first = LoginName.firstPart(dn);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        LdapName name = new LdapName(dn);
        String parent = name.getPrefix(name.size() - 1).toString();
        String filter = "(&" + CLASSES
                + equal(first.get().getType(), first.get().getValue().toString()) + ")";
        return only(session.search(parent, filter, TWO, Optional.empty()));
    }

    /** Returns the name of the entry that a filter of the site finds below the base, if there is exactly one. */
    Optional<String> findByFilter(LoginName user, String filter, String base) throws NamingException {
        Optional<String> name = user.isDn() ? user.shortName() : Optional.of(user.text());
        if (name.isEmpty()) {
            return Optional.empty();
        }
        String escaped = FilterText.escaped(name.get());
        return only(session.search(base, filter.replace("{0}", escaped), 0, Optional.empty()));
    }

    /**
     * Whether a filter of the site finds a group of the user.
     *
     * @param userDn the name of the user's entry; without it, a filter that needs it finds nothing
     */
    boolean hasGroup(LoginName user, Optional<String> userDn, String filter, String base) throws NamingException {
        if (userDn.isEmpty() && filter.contains(ENTRY)) {
            return false;
        }
        String ofEntry = filter.replace(ENTRY, FilterText.escaped(userDn.orElse("")));
        String own = ofEntry.replace("{1}", FilterText.escaped(user.text()));
        return !session.search(base, own, 0, Optional.empty()).isEmpty();
    }

    /** Returns the names of the entries of the user's groups. */
    List<String> groups(String userDn) throws NamingException {
        String key = config.groupMembershipKey();
        String asName = LoginName.firstPart(userDn)
                .map(part -> equal(key, part.getValue().toString()))
                .orElse("");
        String filter = "(&" + equal("objectClass", config.groupClassKey()) + "(|" + equal(key, userDn) + asName + "))";
        return searchAll(bases(config.groupPatterns()), filter, 0).stream()
                .map(LdapEntry::dn)
                .toList();
    }

    /** Returns the name of the entry of a group of the settings, if there is exactly one. */
    Optional<String> group(String name) throws NamingException {
        String filter =
                "(&" + equal("objectClass", config.groupClassKey()) + "(" + config.guidKey() + "=" + name + "))";
        return only(searchAll(bases(config.groupPatterns()), filter, TWO));
    }

    /** Whether exactly one entry is that of the user and names the group. */
    boolean isMember(LoginName user, String groupDn) throws NamingException {
        Optional<String> name = user.shortName();
        if (name.isEmpty()) {
            return false;
        }
        String filter = "(&" + CLASSES + equal(config.userMembershipKey().orElseThrow(), groupDn)
                + equal(config.guidKey(), name.get()) + ")";
        return only(searchAll(bases(config.userPatterns()), filter, TWO)).isPresent();
    }

    /** Returns the names of the entries that a filter of the site finds, each with the values of its members. */
    List<String> query(String filter, String base) throws NamingException {
        return session.search(base, filter, 0, Optional.of(config.groupMembershipKey())).stream()
                .flatMap(LdapEntry::texts)
                .toList();
    }

    private List<LdapEntry> searchAll(List<String> bases, String filter, int limit) throws NamingException {
        List<LdapEntry> all = new ArrayList<>();
        for (String base : bases) {
            all.addAll(session.search(base, filter, limit, Optional.empty()));
        }
        return all;
    }

    private static List<String> bases(List<DnPattern> patterns) {
        Function<DnPattern, String> base = DnPattern::base;
        return patterns.stream().map(base).toList();
    }

    private static String equal(String attribute, String value) {
        return "(" + attribute + "=" + FilterText.escaped(value) + ")";
    }

    private static Optional<String> only(List<LdapEntry> found) {
        return found.size() == 1 ? Optional.of(found.getFirst().dn()) : Optional.empty();
    }
}
