package io.skep.ql.authorize;

import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.privilege.RoleGrant;
import io.skep.ql.session.RoleChoice;
import io.skep.ql.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The roles of a session's user, and those among them that count at present. A role that the user has lost does not
 * count any more, whatever the session has chosen.
 */
public final class SessionRoles {
    private final PrivilegeStore privileges;
    private final Session session;

    public SessionRoles(PrivilegeStore privileges, Session session) {
        this.privileges = privileges;
        this.session = session;
    }

    public String user() {
        return session.user();
    }

    /** Returns the roles that the user belongs to, directly or through other roles. */
    public SortedSet<String> all() {
        return new TreeSet<>(grants().keySet());
    }

    /** Whether the user belongs to a role, whatever the current ones are. All users belong to public. */
    public boolean isMember(String role) {
        return role.equals(PrivilegeStore.PUBLIC) || grants().containsKey(role);
    }

    /**
     * Returns the memberships through which the user has each of its roles. A role that it has directly and through
     * another one has several.
     */
    private SortedMap<String, List<RoleGrant>> grants() {
        SortedMap<String, List<RoleGrant>> found = new TreeMap<>();
        List<Principal> open = new ArrayList<>(List.of(Principal.user(session.user())));
        while (!open.isEmpty()) {
            for (RoleGrant grant : privileges.rolesOf(open.removeLast())) {
                if (!found.containsKey(grant.role())) {
                    open.add(Principal.role(grant.role()));
                }
                found.computeIfAbsent(grant.role(), role -> new ArrayList<>()).add(grant);
            }
        }
        return found;
    }

    /** Returns the current roles: the chosen one, or all except admin, which must be chosen. */
    public SortedSet<String> current() {
        return switch (session.roleChoice()) {
            case RoleChoice.None none -> Collections.emptySortedSet();
            case RoleChoice.All every -> {
                SortedSet<String> roles = all();
                roles.remove(PrivilegeStore.ADMIN);
                yield roles;
            }
            case RoleChoice.One(String name) -> {
                SortedSet<String> roles = all();
                roles.retainAll(List.of(name));
                yield roles;
            }
        };
    }

    public boolean isAdmin() {
        return current().contains(PrivilegeStore.ADMIN);
    }

    /** Whether the user has a role among the current ones, and may grant it. */
    public boolean mayGrant(String role) {
        return current().contains(role)
                && grants().getOrDefault(role, List.of()).stream().anyMatch(RoleGrant::adminOption);
    }
}
