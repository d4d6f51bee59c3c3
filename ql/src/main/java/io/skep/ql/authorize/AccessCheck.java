package io.skep.ql.authorize;

import io.skep.common.error.ClientError;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeGrant;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.metastore.system.SystemTables;
import io.skep.ql.authorize.AccessedObject.Columns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One check of what a session's user may do, with the roles that the session has at present. While admin is among them
 * the user may do everything.
 */
public final class AccessCheck {
    private static final Set<RequiredPrivilege> NEVER_GRANTED =
            EnumSet.of(RequiredPrivilege.OWNERSHIP, RequiredPrivilege.ADMIN);

    private final PrivilegeStore privileges;
    private final String user;
    private final SortedSet<String> roles;
    private final PathPrivileges paths;

    AccessCheck(PrivilegeStore privileges, SessionRoles roles, PathPrivileges paths) {
        this.privileges = privileges;
        this.paths = paths;
        this.user = roles.user();
        this.roles = roles.current();
    }

    private boolean isAdmin() {
        return roles.contains(PrivilegeStore.ADMIN);
    }

    /**
     * @throws SkepException ACCESS_DENIED with everything that is missing, as Hive's compiler says it; for commands as
     *     Hive's commands do
     */
    public void require(String operation, List<AccessNeed> needs) {
        denial(operation, needs).ifPresent(denied -> {
            boolean command = needs.stream().anyMatch(need -> need.object() instanceof AccessedObject.OfCommand);
            SkepException error = command
                    ? new SkepException(StandardErrorCode.ACCESS_DENIED, denied.words())
                            .as(new ClientError(ClientError.GENERIC, "42000", ClientError.Form.COMMAND))
                    : denied(denied.words());
            throw denied.columns().isEmpty()
                    ? error
                    : error.withHint("missing on " + String.join(", ", denied.columns()));
        });
    }

    /**
     * Why something is denied.
     *
     * @param columns the columns on which a privilege is missing, if the user has it on others of the table
     */
    public record Denial(String words, SortedSet<String> columns) {}

    /** Returns what is missing, if anything is. */
    public Optional<Denial> denial(String operation, List<AccessNeed> needs) {
        if (isAdmin()) {
            return Optional.empty();
        }
        List<String> missing = new ArrayList<>();
        SortedSet<String> columns = new TreeSet<>();
        for (AccessNeed need : needs) {
            Set<RequiredPrivilege> lacking = lacking(need, columns);
            if (!lacking.isEmpty()) {
                missing.add(new AccessNeed(need.side(), need.object(), lacking).shown());
            }
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Denial(
                        "Permission denied: Principal [name=" + user
                                + ", type=USER] does not have following privileges for operation " + operation + " "
                                + missing.stream().sorted().toList(),
                        columns));
    }

    /** Returns an error with the class of Hive's. */
    static SkepException denied(String words) {
        return new SkepException(StandardErrorCode.ACCESS_DENIED, "HiveAccessControlException " + words)
                .as(new ClientError(ClientError.GENERIC, "42000", ClientError.Form.NAMED));
    }

    /** @param columns gets the columns that are the only ones missing of their table */
    private Set<RequiredPrivilege> lacking(AccessNeed need, SortedSet<String> columns) {
        Set<RequiredPrivilege> lacking = EnumSet.noneOf(RequiredPrivilege.class);
        lacking.addAll(need.privileges());
        switch (need.object()) {
            case AccessedObject.OfTable object -> {
                Table table = object.table();
                if (SystemTables.isForEverybody(table)) {
                    lacking.remove(RequiredPrivilege.SELECT);
                }
                removeOwned(lacking, table.owner(), table.ownerIsRole());
                removeGranted(lacking, PrivilegeObject.table(table.database(), table.name()));
                lacking.removeIf(privilege -> isOnColumns(object, privilege, columns));
            }
            case AccessedObject.OfDatabase object -> {
                removeOwned(
                        lacking, object.database().owner(), object.database().ownerIsRole());
                removeGranted(
                        lacking, PrivilegeObject.database(object.database().name()));
            }
            case AccessedObject.OfNewTable created -> {}
            case AccessedObject.OfNewDatabase created -> {}
            case AccessedObject.OfFunction function -> {}
            case AccessedObject.OfPath path -> lacking.removeAll(paths.of(path, user));
            case AccessedObject.OfScheduledQuery query -> {}
            case AccessedObject.OfConnector connector -> {}
            case AccessedObject.OfCommand command -> {}
            case AccessedObject.OfServer server -> {}
        }
        return lacking;
    }

    private void removeOwned(Set<RequiredPrivilege> lacking, String owner, boolean ownerIsRole) {
        if (isOwner(owner, ownerIsRole)) {
            lacking.remove(RequiredPrivilege.OWNERSHIP);
        }
    }

    /** Removes what is granted. Reads no grants when none of them would help. */
    private void removeGranted(Set<RequiredPrivilege> lacking, PrivilegeObject object) {
        if (!NEVER_GRANTED.containsAll(lacking)) {
            lacking.removeAll(granted(object));
        }
    }

    private boolean isOwner(String owner, boolean ownerIsRole) {
        return !owner.isEmpty() && (ownerIsRole ? roles.contains(owner) : owner.equals(user));
    }

    /** Returns the privileges that the user and the current roles have on an object itself. */
    private Set<RequiredPrivilege> granted(PrivilegeObject object) {
        Set<RequiredPrivilege> available = EnumSet.noneOf(RequiredPrivilege.class);
        for (PrivilegeGrant grant : privileges.grantsOn(object)) {
            if (counts(grant.principal())) {
                available.addAll(GrantablePrivilege.required(grant));
            }
        }
        return available;
    }

    private boolean counts(Principal principal) {
        return switch (principal.kind()) {
            case USER -> principal.name().equals(user);
            case ROLE -> roles.contains(principal.name());
        };
    }

    private boolean isOnColumns(AccessedObject.OfTable object, RequiredPrivilege privilege, SortedSet<String> missing) {
        if (NEVER_GRANTED.contains(privilege)
                || !(object.columns() instanceof Columns.Named(Collection<String> names))) {
            return false;
        }
        Table table = object.table();
        List<String> stored = table.allColumns().stream().map(FieldSchema::name).toList();
        List<String> lacking = new ArrayList<>(names.isEmpty() ? stored : names);
        boolean some = lacking.removeIf(column -> isGranted(table, column, privilege));
        if (names.isEmpty() || lacking.isEmpty()) {
            return some;
        }
        if (isGrantedOnAny(table, stored, privilege)) {
            lacking.forEach(column -> missing.add(table.qualifiedName() + "." + column));
        }
        return false;
    }

    private boolean isGrantedOnAny(Table table, List<String> columns, RequiredPrivilege privilege) {
        return columns.stream().anyMatch(column -> isGranted(table, column, privilege));
    }

    private boolean isGranted(Table table, String column, RequiredPrivilege privilege) {
        return granted(PrivilegeObject.column(table.database(), table.name(), column))
                .contains(privilege);
    }

    /** Whether a table is shown: it is the user's, or something is granted on it or on one of its columns. */
    boolean isVisible(Table table, Set<PrivilegeObject> granted) {
        return SystemTables.isForEverybody(table)
                || isVisible(
                        PrivilegeObject.table(table.database(), table.name()),
                        table.owner(),
                        table.ownerIsRole(),
                        granted);
    }

    boolean isVisible(PrivilegeObject table, String owner, boolean ownerIsRole, Set<PrivilegeObject> granted) {
        return isAdmin() || isOwner(owner, ownerIsRole) || granted.contains(table);
    }

    /** Returns the tables on which, or on a column of which, the user or a current role has any privilege. */
    Set<PrivilegeObject> tablesWithGrants() {
        Set<PrivilegeObject> tables = new HashSet<>();
        List<Principal> principals = new ArrayList<>(List.of(Principal.user(user)));
        roles.forEach(role -> principals.add(Principal.role(role)));
        for (Principal principal : principals) {
            privileges
                    .grantsTo(principal)
                    .forEach(grant -> grant.object()
                            .table()
                            .ifPresent(name -> tables.add(
                                    PrivilegeObject.table(grant.object().database(), name))));
        }
        return tables;
    }
}
