package io.skep.authentication.ldap;

import java.util.Locale;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The name that a client logs in with: a plain one, one with a domain ({@code ann@example.com}, {@code ann/host}), or
 * the distinguished name of an entry.
 */
record LoginName(String text) {
    private static final String EQUALS = "=";

    /** Whether the name is that of an entry. */
    boolean isDn() {
        return text.contains(EQUALS);
    }

    boolean hasDomain() {
        return domainIndex() > 0;
    }

    /** Returns the index of the first separator of a domain, or -1. */
    private int domainIndex() {
        int slash = text.indexOf('/');
        int at = text.indexOf('@');
        return slash < 0 || at < 0 ? Math.max(slash, at) : Math.min(slash, at);
    }

    LoginName withoutDomain() {
        return hasDomain() ? new LoginName(text.substring(0, domainIndex())) : this;
    }

    /** Whether the name ends with this domain, and does not name an entry. */
    boolean isOf(String domain) {
        return !isDn()
                && hasDomain()
                && text.charAt(domainIndex()) == '@'
                && text.substring(domainIndex() + 1).toLowerCase(Locale.ROOT).equals(domain.toLowerCase(Locale.ROOT));
    }

    /** Returns the name as lists of users have it: of an entry, the value of its first part. */
    Optional<String> shortName() {
        if (!isDn()) {
            return Optional.of(withoutDomain().text);
        }
        return firstPart(text).map(part -> part.getValue().toString());
    }

    /** Returns the first part of an entry's name, such as {@code uid=ann}, if the name has one of text. */
    static Optional<Rdn> firstPart(String dn) {
        try {
            LdapName name = new LdapName(dn);
            if (name.isEmpty()) {
                return Optional.empty();
            }
            Rdn first = name.getRdn(name.size() - 1);
            return first.size() == 1 && first.getValue() instanceof String ? Optional.of(first) : Optional.empty();
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }
}
