package io.skep.ql.authorize;

import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.metastore.privilege.PrivilegeObject;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.policy.PolicySource;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.session.Session;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What one session may see and do: by roles and grants, or by the authorizer of the site. */
public final class SessionAccess {
    private final PrivilegeStore privileges;
    private final Session session;
    private final boolean enabled;
    private final Optional<PluginAuthorizer> plugin;
    private final PathPrivileges paths;
    private final SessionFiles files;

    /**
     * @param plugin the authorizer of the site, which is asked while authorization is on
     * @param files what the user may do with files
     */
    public SessionAccess(
            PrivilegeStore privileges,
            Session session,
            Optional<PluginAuthorizer> plugin,
            PathPrivileges paths,
            SessionFiles files) {
        this.privileges = privileges;
        this.paths = paths;
        this.files = files;
        this.session = session;
        this.enabled = session.settings().rules().authorizes();
        this.plugin = plugin.filter(known -> enabled);
    }

    Session session() {
        return session;
    }

    /** Returns what the user may do with files. */
    public SessionFiles files() {
        return files;
    }

    /** Whether authorization is on. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Returns the authorizer of the site, if it decides. */
    public Optional<PluginAuthorizer> plugin() {
        return plugin;
    }

    /** Returns the roles of the session's user that the metastore knows. */
    public SessionRoles roles() {
        return new SessionRoles(privileges, session);
    }

    /** Returns a check of roles and grants that holds for the present roles, also while authorization is off. */
    public AccessCheck newCheck() {
        return new AccessCheck(privileges, roles(), paths);
    }

    /** Whether the user belongs to a role, as {@code is_member} in policies asks. */
    public boolean isMember(String role) {
        return role.equals(PrivilegeStore.PUBLIC)
                || plugin.map(known -> known.isMember(role)).orElseGet(() -> roles().isMember(role));
    }

    /** Returns the tables that grants show to the user, while authorization is on and no authorizer decides. */
    public GrantedTables grantedTables() {
        return new GrantedTables(newCheck());
    }

    /** Whether the user sees all rows of system tables: without authorization, and as admin. */
    public boolean seesAllRows() {
        return !enabled || (plugin.isEmpty() && roles().isAdmin());
    }

    /** Returns the names under which rows of system tables are the user's: its own, and those of its current roles. */
    public Set<String> people() {
        Set<String> names = new HashSet<>(Set.of(session.user()));
        if (plugin.isEmpty()) {
            names.addAll(roles().current());
        }
        return names;
    }

    boolean isTemporary(Table table) {
        return session.temporaryTables().get(table.database(), table.name()).isPresent();
    }

    /** Returns the tables and views that statements and metadata calls of the session list. */
    public Predicate<Table> visibleTables() {
        if (!enabled) {
            return table -> true;
        }
        if (plugin.isPresent()) {
            PluginAuthorizer authorizer = plugin.get();
            return table -> isTemporary(table) || authorizer.isVisible(table);
        }
        AccessCheck check = newCheck();
        Set<PrivilegeObject> granted = check.tablesWithGrants();
        return table -> check.isVisible(table, granted) || isTemporary(table);
    }

    /** Returns the names of databases that they list: all, unless the authorizer of the site hides some. */
    public Predicate<String> visibleDatabases(Catalog catalog) {
        if (plugin.isEmpty()) {
            return name -> true;
        }
        PluginAuthorizer authorizer = plugin.get();
        return name -> catalog.database(name).filter(authorizer::isVisible).isPresent();
    }

    /** Returns the row filters and masks of tables and of the site. Those of tables hold for everybody. */
    PolicySource policies(String statement) {
        return table -> PolicyProperties.of(table).and(policiesOfSite(table, statement), table);
    }

    TablePolicies policiesOfSite(Table table, String statement) {
        return plugin.isEmpty() || isTemporary(table)
                ? TablePolicies.NONE
                : plugin.get().policies(table, statement);
    }
}
