package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeGrant;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.privilege.RoleGrant;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.HiveObjectPrivilege;
import org.apache.hadoop.hive.metastore.api.InvalidObjectException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.PrincipalType;
import org.apache.hadoop.hive.metastore.api.PrivilegeBag;
import org.apache.hadoop.hive.metastore.api.Role;
import org.apache.hadoop.hive.metastore.api.RolePrincipalGrant;
import org.jspecify.annotations.NullUnmarked;

/** Reads and writes roles and grants. */
@NullUnmarked
final class HivePrivileges implements PrivilegeStore {
    /** What precedes a reason of the library in Hive's errors. */
    private static final String REASON = "Got exception: org.apache.hadoop.hive.metastore.api.";

    /** The SQLSTATE after which a transaction may run again. */
    private static final String SERIALIZATION_FAILURE = "40001";

    private final StorePool stores;

    HivePrivileges(StorePool stores) {
        this.stores = stores;
    }

    /**
     * Creates the roles that every metastore has, and makes users members of the role admin.
     *
     * @param admins users whose membership must not be granted by somebody, from hive.users.in.admin.role
     */
    void createDefaults(Collection<String> admins) {
        stores.write("make the roles admin and public", store -> createDefaults(store, admins));
    }

    static boolean createDefaults(RawStore store, Collection<String> admins) throws Exception {
        try {
            addDefaults(store, admins);
            return true;
        } catch (InvalidObjectException e) {
            // Another server has added them since this one looked. The next attempt finds them.
            throw new SQLTransactionRollbackException(e.getMessage(), SERIALIZATION_FAILURE, e);
        }
    }

    private static void addDefaults(RawStore store, Collection<String> admins) throws Exception {
        Set<String> present = new TreeSet<>(store.listRoleNames());
        for (String role : List.of(ADMIN, PUBLIC)) {
            if (!present.contains(role)) {
                store.addRole(role, role);
            }
        }
        if (store.listPrincipalGlobalGrants(ADMIN, PrincipalType.ROLE).isEmpty()) {
            store.grantPrivileges(new PrivilegeBag(List.of(PrivilegeConversion.allOfAdmin())));
        }
        Role admin = store.getRole(ADMIN);
        for (String user : admins) {
            if (!isMember(store, ADMIN, Principal.user(user))) {
                store.grantRole(admin, user, PrincipalType.USER, ADMIN, PrincipalType.ROLE, true);
            }
        }
    }

    @Override
    public List<String> roles() {
        return stores.read("list the roles", RawStore::listRoleNames).stream()
                .sorted()
                .toList();
    }

    @Override
    public void addRole(String name, String owner) {
        String role = name.toLowerCase(Locale.ROOT);
        stores.write("create role " + role, store -> {
            if (store.listRoleNames().contains(role)) {
                throw new SkepException(
                        StandardErrorCode.ROLE_EXISTS,
                        "Error create role: " + REASON + "InvalidObjectException Role " + role + " already exists.");
            }
            return store.addRole(role, owner);
        });
    }

    @Override
    public void removeRole(String name) {
        String role = name.toLowerCase(Locale.ROOT);
        stores.write("drop role " + role, store -> store.listRoleNames().contains(role) && store.removeRole(role));
    }

    @Override
    public List<RoleGrant> rolesOf(Principal member) {
        return stores
                .read(
                        "list the roles of " + member.name(),
                        store -> store.listRolesWithGrants(member.name(), PrivilegeConversion.kind(member.kind())))
                .stream()
                .map(PrivilegeConversion::fromThrift)
                .sorted(Comparator.comparing(RoleGrant::role))
                .toList();
    }

    @Override
    public List<RoleGrant> members(String role) {
        return stores
                .read("list the members of role " + role, store -> store.listRoleMembers(role.toLowerCase(Locale.ROOT)))
                .stream()
                .map(PrivilegeConversion::fromThrift)
                .sorted(Comparator.comparing(grant -> grant.member().name()))
                .toList();
    }

    @Override
    public void grantRole(String name, Principal member, Principal grantor, boolean adminOption) {
        String role = name.toLowerCase(Locale.ROOT);
        stores.write("grant role " + role, store -> {
            Role found = require(store, role, "Error granting role: ");
            if (member.equals(Principal.role(role))
                    || rolesAbove(store, Principal.role(role)).contains(member.name())
                            && member.equals(Principal.role(member.name()))) {
                throw invalid("Error granting role: Cannot grant role " + member.name() + " to " + role + " as " + role
                        + " already belongs to the role " + member.name() + ". (no cycles allowed)");
            }
            if (isMember(store, role, member)) {
                throw invalid("Error granting role: " + REASON + "InvalidObjectException Principal " + member.name()
                        + " already has the role " + role);
            }
            return store.grantRole(
                    found,
                    member.name(),
                    PrivilegeConversion.kind(member.kind()),
                    grantor.name(),
                    PrivilegeConversion.kind(grantor.kind()),
                    adminOption);
        });
    }

    /** Returns the roles that a principal belongs to, directly or through others. */
    private static Set<String> rolesAbove(RawStore store, Principal principal) throws Exception {
        Set<String> above = new TreeSet<>();
        List<Principal> open = new ArrayList<>(List.of(principal));
        while (!open.isEmpty()) {
            Principal member = open.removeLast();
            for (Role role : store.listRoles(member.name(), PrivilegeConversion.kind(member.kind()))) {
                if (above.add(role.getRoleName())) {
                    open.add(Principal.role(role.getRoleName()));
                }
            }
        }
        return above;
    }

    private static boolean isMember(RawStore store, String role, Principal member) {
        for (RolePrincipalGrant grant : store.listRoleMembers(role)) {
            if (PrivilegeConversion.fromThrift(grant).member().equals(member)) {
                return true;
            }
        }
        return false;
    }

    private static Role require(RawStore store, String role, String prefix) {
        try {
            return store.getRole(role);
        } catch (NoSuchObjectException e) {
            throw new SkepException(
                    StandardErrorCode.ROLE_NOT_FOUND,
                    prefix + REASON + "NoSuchObjectException " + role + " role can not be found.",
                    e);
        }
    }

    private static SkepException invalid(String words) {
        return new SkepException(StandardErrorCode.INVALID_GRANT, words);
    }

    @Override
    public void revokeRole(String name, Principal member, boolean onlyAdminOption) {
        String role = name.toLowerCase(Locale.ROOT);
        stores.write("revoke role " + role, store -> {
            Role found = require(store, role, "Error revoking roles for " + member.name() + " to role " + role + ": ");
            if (!isMember(store, role, member)) {
                return false;
            }
            try {
                return store.revokeRole(found, member.name(), PrivilegeConversion.kind(member.kind()), onlyAdminOption);
            } catch (org.apache.hadoop.hive.metastore.api.MetaException e) {
                throw new SkepException(
                        StandardErrorCode.INVALID_GRANT,
                        "Error revoking roles for " + member.name() + " to role " + role + ": " + e.getMessage(),
                        e);
            }
        });
    }

    @Override
    public List<PrivilegeGrant> grantsOn(PrivilegeObject object) {
        return fromThrift(stores.read("list the grants on " + object.database(), store -> on(store, object)));
    }

    private static List<HiveObjectPrivilege> on(RawStore store, PrivilegeObject object) {
        if (object.column().isPresent()) {
            return store.listTableColumnGrantsAll(
                    CATALOG,
                    object.database(),
                    object.table().orElseThrow(),
                    object.column().get());
        }
        return object.table().isPresent()
                ? store.listTableGrantsAll(
                        CATALOG, object.database(), object.table().get())
                : store.listDBGrantsAll(CATALOG, object.database());
    }

    @Override
    public List<PrivilegeGrant> grantsTo(Principal principal) {
        return fromThrift(stores.read("list the grants to " + principal.name(), store -> {
            PrincipalType kind = PrivilegeConversion.kind(principal.kind());
            List<HiveObjectPrivilege> all = new ArrayList<>(store.listPrincipalDBGrantsAll(principal.name(), kind));
            all.addAll(store.listPrincipalTableGrantsAll(principal.name(), kind));
            all.addAll(store.listPrincipalTableColumnGrantsAll(principal.name(), kind));
            return all;
        }));
    }

    private static List<PrivilegeGrant> fromThrift(List<HiveObjectPrivilege> privileges) {
        return privileges.stream()
                .filter(privilege ->
                        CATALOG.equalsIgnoreCase(privilege.getHiveObject().getCatName())
                                && privilege.getPrincipalType() != PrincipalType.GROUP)
                .map(PrivilegeConversion::fromThrift)
                .toList();
    }

    @Override
    public void grant(List<PrivilegeGrant> grants) {
        stores.write("grant privileges", store -> {
            try {
                return store.grantPrivileges(PrivilegeConversion.toThrift(grants));
            } catch (InvalidObjectException e) {
                throw new SkepException(
                        StandardErrorCode.INVALID_GRANT,
                        "Error granting privileges: " + REASON + "InvalidObjectException " + e.getMessage(),
                        e);
            } catch (NoSuchObjectException e) {
                throw new SkepException(
                        StandardErrorCode.ROLE_NOT_FOUND,
                        "Error granting privileges: " + REASON + "NoSuchObjectException " + e.getMessage(),
                        e);
            }
        });
    }

    @Override
    public void revoke(List<PrivilegeGrant> grants, boolean onlyGrantOption) {
        stores.write("revoke privileges", store -> {
            try {
                return store.revokePrivileges(PrivilegeConversion.toThrift(grants), onlyGrantOption);
            } catch (InvalidObjectException e) {
                throw notRevoked(e.getMessage(), e);
            } catch (NoSuchObjectException e) {
                throw notRevoked(e.getMessage(), e);
            }
        });
    }

    private static SkepException notRevoked(String reason, Exception cause) {
        return new SkepException(StandardErrorCode.INVALID_GRANT, "Error revoking privileges: " + reason, cause);
    }
}
