package io.skep.metastore.privilege;

import java.util.Locale;

/**
 * A user or a role. Names of users are case-sensitive, names of roles are in lower case.
 *
 * @param name the name as the metastore's database has it
 */
public record Principal(PrincipalKind kind, String name) {
    public Principal {
        name = kind == PrincipalKind.ROLE ? name.toLowerCase(Locale.ROOT) : name;
    }

    public static Principal user(String name) {
        return new Principal(PrincipalKind.USER, name);
    }

    public static Principal role(String name) {
        return new Principal(PrincipalKind.ROLE, name);
    }
}
