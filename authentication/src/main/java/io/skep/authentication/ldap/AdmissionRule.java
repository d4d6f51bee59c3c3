package io.skep.authentication.ldap;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.naming.NamingException;

/**
 * A rule of the settings about who of the directory's users may log in. The rules and their precedence are those of
 * Hive.
 */
sealed interface AdmissionRule {
    /**
     * Whether the rule admits a user.
     *
     * @param user without a domain
     */
    boolean admits(LdapUsers users, LoginName user) throws NamingException;

    /** Returns the rules of a site, all of which have to admit a user. */
    static List<AdmissionRule> of(LdapConfig config) {
        Optional<String> userSearch = config.userSearchFilter();
        if (userSearch.isPresent()
                || config.groupSearchFilter().isPresent()
                || config.groupBase().isPresent()) {
            return List.of(new BySearch(userSearch, config.base(), config.groupSearchFilter(), config.groupBase()));
        }
        if (config.customQuery().isPresent()) {
            return List.of(new ByQuery(config.customQuery().get(), config.base()));
        }
        boolean anyone = config.users().isEmpty() && config.groups().isEmpty();
        Stream<AdmissionRule> known = anyone ? Stream.of() : Stream.of(new Known());
        Stream<AdmissionRule> listed = config.users().isEmpty() ? Stream.of() : Stream.of(new Listed(config.users()));
        Stream<AdmissionRule> ofGroup;
        if (config.groups().isEmpty()) {
            ofGroup = Stream.of();
        } else if (config.userMembershipKey().isPresent()) {
            ofGroup = Stream.of(new NamesGroup(config.groups()));
        } else {
            ofGroup = Stream.of(new NamedByGroup(config.groups()));
        }
        return Stream.of(known, listed, ofGroup).flatMap(rule -> rule).toList();
    }

    /** Filters of the site find exactly the user, and a group of the user, or only one of them. */
    record BySearch(
            Optional<String> userFilter,
            Optional<String> base,
            Optional<String> groupFilter,
            Optional<String> groupBase)
            implements AdmissionRule {
        @Override
        public boolean admits(LdapUsers users, LoginName user) throws NamingException {
            Optional<String> entry = userFilter.isPresent() && base.isPresent()
                    ? users.findByFilter(user, userFilter.get(), base.get())
                    : Optional.empty();
            boolean isKnown = entry.isPresent() || userFilter.isEmpty();
            if (!isKnown || groupFilter.isEmpty() || groupBase.isEmpty()) {
                return entry.isPresent();
            }
            return users.hasGroup(user, entry, groupFilter.get(), groupBase.get());
        }
    }

    /** A filter of the site finds the user, or a group that names the user. */
    record ByQuery(String query, Optional<String> base) implements AdmissionRule {
        private static final String NAME = "%s";

        @Override
        public boolean admits(LdapUsers users, LoginName user) throws NamingException {
            if (base.isEmpty()) {
                return false;
            }
            for (String found : users.query(query, base.get())) {
                if (found.equalsIgnoreCase(user.text()) || isNamed(found, user.text())) {
                    return true;
                }
            }
            if (!query.contains(NAME)) {
                return false;
            }
            String own = query.replace(NAME, FilterText.escaped(user.text()));
            return users.query(own, base.get()).size() == 1;
        }
    }

    /** The directory has exactly one entry of the user. */
    record Known() implements AdmissionRule {
        @Override
        public boolean admits(LdapUsers users, LoginName user) throws NamingException {
            return users.find(user).isPresent();
        }
    }

    /** The user is in a list. */
    record Listed(List<String> names) implements AdmissionRule {
        @Override
        public boolean admits(LdapUsers users, LoginName user) {
            Optional<String> name = user.shortName().map(own -> own.toLowerCase(Locale.ROOT));
            return name.isPresent()
                    && names.stream()
                            .map(listed -> listed.toLowerCase(Locale.ROOT))
                            .anyMatch(name.get()::equals);
        }
    }

    /** The entry of a group in a list names the user. */
    record NamedByGroup(List<String> names) implements AdmissionRule {
        @Override
        public boolean admits(LdapUsers users, LoginName user) throws NamingException {
            Optional<String> entry = users.find(user);
            return entry.isPresent()
                    && users.groups(entry.get()).stream()
                            .anyMatch(group -> names.stream().anyMatch(name -> isNamed(group, name)));
        }
    }

    /** The entry of the user names a group in a list. */
    record NamesGroup(List<String> names) implements AdmissionRule {
        @Override
        public boolean admits(LdapUsers users, LoginName user) throws NamingException {
            for (String name : names) {
                Optional<String> group = users.group(name);
                if (group.isPresent() && users.isMember(user, group.get())) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Whether the first part of an entry's name has this value. */
    private static boolean isNamed(String dn, String name) {
        return LoginName.firstPart(dn)
                .filter(part -> part.getValue().toString().equalsIgnoreCase(name))
                .isPresent();
    }
}
