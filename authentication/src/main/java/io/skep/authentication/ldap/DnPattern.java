package io.skep.authentication.ldap;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The names of entries of a kind, such as {@code uid=%s,ou=People,dc=example,dc=com}, where {@code %s} stands for a
 * user's or group's name. A pattern without it is the name of the entry above all of them.
 */
record DnPattern(String text) {
    private static final String NAME = "%s";

    /**
     * Returns the patterns of a setting, which are separated by colons.
     *
     * @param guidKey the attribute with the name, for the pattern of a site that has only a base
     * @throws IllegalArgumentException when a pattern is not the name of an entry
     */
    static List<DnPattern> listOf(String setting, Optional<String> base, String guidKey) {
        if (setting.isBlank()) {
            return base.map(above -> List.of(new DnPattern(guidKey + "=" + NAME + "," + above)))
                    .orElse(List.of());
        }
        List<DnPattern> patterns = new ArrayList<>();
        for (String text : setting.split(":", -1)) {
            if (!isName(text) || !text.contains(",")) {
                throw new IllegalArgumentException(text);
            }
            patterns.add(new DnPattern(text.strip()));
        }
        return patterns;
    }

    /** Whether the text is the name of an entry. */
    static boolean isName(String text) {
        try {
            return !new LdapName(text).isEmpty();
        } catch (InvalidNameException e) {
            return false;
        }
    }

    /** Returns the name of the entry of a user. */
    String principal(String user) {
        return text.replace(NAME, Rdn.escapeValue(user));
    }

    /** Returns the filter for the first part of such a name. */
    String filter(String user) {
        return "(" + text.substring(0, text.indexOf(',')).replace(NAME, FilterText.escaped(user)) + ")";
    }

    /** Returns the name of the entry above that of a user. */
    String parent() {
        return text.substring(text.indexOf(',') + 1);
    }

    /** Returns the name of the entry above all entries of the kind. */
    String base() {
        return text.contains("=" + NAME) ? parent() : text;
    }
}
