package io.skep.authentication.ldap;

import java.util.List;
import java.util.stream.Stream;

/**
 * An entry that a search has found.
 *
 * @param values those of the attribute that was asked for
 */
record LdapEntry(String dn, List<String> values) {
    LdapEntry {
        values = List.copyOf(values);
    }

    /** Returns the name of the entry and the values. */
    Stream<String> texts() {
        return Stream.concat(Stream.of(dn), values.stream());
    }
}
