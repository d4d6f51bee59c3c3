package io.skep.ql.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.security.HiveAuthenticationProvider;
import org.apache.hadoop.hive.ql.security.authorization.plugin.AbstractHiveAuthorizer;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAccessControlException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizer;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizerFactory;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzContext;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzPluginException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzSessionContext;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveMetastoreClientFactory;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveOperationType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePolicyProvider;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrincipal;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilege;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeInfo;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject.HivePrivObjectActionType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject.HivePrivilegeObjectType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveRoleGrant;

/**
 * An authorizer of a site, by Hive's plug-in interface, that records its calls. A site is in the settings under
 * {@link #SITE}.
 */
public final class TestingAuthorizer extends AbstractHiveAuthorizer {
    /** The setting that names the {@link Site} whose rules an authorizer has. */
    public static final String SITE = "testing.authorizer.site";

    private static final Map<String, Site> SITES = new ConcurrentHashMap<>();

    private final Site site;
    private final String user;
    private final HiveMetastoreClientFactory metastore;

    /** The rules of all authorizers of one site, and what they were asked. Thread-safe. */
    public static final class Site {
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final Set<String> denied = ConcurrentHashMap.newKeySet();
        private final Map<String, String> filters = new ConcurrentHashMap<>();
        private final Map<String, String> masks = new ConcurrentHashMap<>();
        private final Map<String, List<String>> roles = new ConcurrentHashMap<>();
        private volatile Optional<RuntimeException> failure = Optional.empty();
        private volatile Optional<HiveAuthzContext> context = Optional.empty();

        /** Returns the settings of a server with the authorizer. */
        public Map<String, String> settings(String name) {
            SITES.put(name, this);
            return Map.of(
                    "hive.security.authorization.enabled",
                    "true",
                    "hive.security.authorization.manager",
                    Factory.class.getName(),
                    SITE,
                    name);
        }

        /** Returns and forgets the calls. */
        public List<String> takeCalls() {
            List<String> taken = List.copyOf(calls);
            calls.clear();
            return taken;
        }

        /** @param access such as {@code ann m.t} or {@code ann m.t.a} */
        public void deny(String access) {
            denied.add(access);
        }

        public void allow(String access) {
            denied.remove(access);
        }

        /** @param table such as {@code ann m.t} */
        public void filter(String table, String expression) {
            filters.put(table, expression);
        }

        /** @param column such as {@code ann m.t.a} */
        public void mask(String column, String expression) {
            masks.put(column, expression);
        }

        public void roles(String user, String... names) {
            roles.put(user, List.of(names));
        }

        public void fail(Optional<RuntimeException> error) {
            failure = error;
        }

        /** The context of the last call. */
        public HiveAuthzContext context() {
            return context.orElseThrow();
        }
    }

    /** The class that a server's settings name. */
    public static final class Factory implements HiveAuthorizerFactory {
        @Override
        public HiveAuthorizer createHiveAuthorizer(
                HiveMetastoreClientFactory metastore,
                HiveConf conf,
                HiveAuthenticationProvider authenticator,
                HiveAuthzSessionContext session) {
            Site site = Optional.ofNullable(SITES.get(conf.get(SITE))).orElseThrow();
            return new TestingAuthorizer(site, authenticator.getUserName(), metastore);
        }
    }

    private TestingAuthorizer(Site site, String user, HiveMetastoreClientFactory metastore) {
        this.site = site;
        this.user = user;
        this.metastore = metastore;
    }

    private void record(String method, Object... arguments) {
        site.calls.add(method
                + Arrays.stream(arguments)
                        .map(argument -> " " + shown(argument))
                        .collect(Collectors.joining()));
        site.failure.ifPresent(error -> {
            throw error;
        });
    }

    private static String shown(Object argument) {
        return switch (argument) {
            case HivePrivilegeObject object -> object(object);
            case HivePrincipal principal -> principal.getType() + ":" + principal.getName();
            case HivePrivilege privilege ->
                privilege.getName() + (privilege.getColumns() == null ? "" : privilege.getColumns());
            case Collection<?> all ->
                all.stream().map(TestingAuthorizer::shown).collect(Collectors.joining(", ", "[", "]"));
            case null -> "null";
            default -> argument.toString();
        };
    }

    /** Shows an object as docs/testing/authorizer-calls.md does. */
    private static String object(HivePrivilegeObject object) {
        if (object.getType() == HivePrivilegeObjectType.COMMAND_PARAMS) {
            return object.getType() + " params=" + object.getCommandParams();
        }
        String columns =
                object.getColumns() == null ? "" : "(" + String.join(", ", new TreeSet<>(object.getColumns())) + ")";
        String action = object.getActionType() == HivePrivObjectActionType.OTHER ? "" : " " + object.getActionType();
        String created = object.getClassName() == null ? "" : " class=" + object.getClassName();
        return object.getType() + " " + name(object) + columns + action + created;
    }

    private static String name(HivePrivilegeObject object) {
        if (object.getDbname() == null) {
            return object.getObjectName();
        }
        return object.getDbname() + (object.getObjectName() == null ? "" : "." + object.getObjectName());
    }

    @Override
    public VERSION getVersion() {
        return VERSION.V1;
    }

    @Override
    public void checkPrivileges(
            HiveOperationType operation,
            List<HivePrivilegeObject> inputs,
            List<HivePrivilegeObject> outputs,
            HiveAuthzContext context)
            throws HiveAccessControlException {
        site.context = Optional.of(context);
        record("checkPrivileges", operation, inputs, outputs);
        List<HivePrivilegeObject> all = new ArrayList<>(inputs);
        all.addAll(outputs);
        for (HivePrivilegeObject object : all) {
            List<String> columns = object.getColumns() == null ? List.of() : object.getColumns();
            boolean denied = site.denied.contains(user + " " + name(object))
                    || columns.stream()
                            .anyMatch(column -> site.denied.contains(user + " " + name(object) + "." + column));
            if (denied) {
                throw new HiveAccessControlException(
                        "Permission denied: user [" + user + "] may not " + operation + " " + object(object));
            }
        }
    }

    @Override
    public List<HivePrivilegeObject> filterListCmdObjects(List<HivePrivilegeObject> listed, HiveAuthzContext context) {
        record("filterListCmdObjects", listed);
        return listed.stream()
                .filter(object -> !site.denied.contains(user + " " + name(object)))
                .toList();
    }

    @Override
    public boolean needTransform() {
        return true;
    }

    @Override
    public List<HivePrivilegeObject> applyRowFilterAndColumnMasking(
            HiveAuthzContext context, List<HivePrivilegeObject> objects) {
        site.context = Optional.of(context);
        record("applyRowFilterAndColumnMasking", objects);
        List<HivePrivilegeObject> changed = new ArrayList<>();
        for (HivePrivilegeObject object : objects) {
            List<String> transformers = object.getColumns().stream()
                    .map(column -> site.masks.getOrDefault(user + " " + name(object) + "." + column, column))
                    .toList();
            object.setCellValueTransformers(transformers);
            object.setRowFilterExpression(site.filters.get(user + " " + name(object)));
            changed.add(object);
        }
        return changed;
    }

    /** Returns the owner of a table as the server's metastore client has it. Ranger's authorizer asks so too. */
    @SuppressWarnings("deprecation")
    private String owner(String database, String table) throws HiveAuthzPluginException {
        try {
            return metastore.getHiveMetastoreClient().getTable(database, table).getOwner();
        } catch (Exception e) {
            throw new HiveAuthzPluginException(e.toString(), e);
        }
    }

    @Override
    public void grantPrivileges(
            List<HivePrincipal> principals,
            List<HivePrivilege> privileges,
            HivePrivilegeObject object,
            HivePrincipal grantor,
            boolean option)
            throws HiveAuthzPluginException, HiveAccessControlException {
        record("grantPrivileges", principals, privileges, object, grantor, option);
        if (object.getType() == HivePrivilegeObjectType.TABLE_OR_VIEW
                && !owner(object.getDbname(), object.getObjectName()).equals(grantor.getName())) {
            throw new HiveAccessControlException(grantor.getName() + " does not own " + object(object));
        }
    }

    @Override
    public void revokePrivileges(
            List<HivePrincipal> principals,
            List<HivePrivilege> privileges,
            HivePrivilegeObject object,
            HivePrincipal grantor,
            boolean option) {
        record("revokePrivileges", principals, privileges, object, grantor, option);
    }

    @Override
    public void createRole(String role, HivePrincipal grantor) {
        record("createRole", role, grantor);
    }

    @Override
    public void dropRole(String role) {
        record("dropRole", role);
    }

    @Override
    public List<HiveRoleGrant> getPrincipalGrantInfoForRole(String role) {
        record("getPrincipalGrantInfoForRole", role);
        return List.of(grant(role, "ann"));
    }

    @Override
    public List<HiveRoleGrant> getRoleGrantInfoForPrincipal(HivePrincipal principal) {
        record("getRoleGrantInfoForPrincipal", principal);
        return List.of(grant("readers", principal.getName()));
    }

    private static HiveRoleGrant grant(String role, String member) {
        HiveRoleGrant grant = new HiveRoleGrant();
        grant.setRoleName(role);
        grant.setPrincipalName(member);
        grant.setPrincipalType("USER");
        grant.setGrantTime(7);
        grant.setGrantor("root");
        grant.setGrantorType("USER");
        return grant;
    }

    @Override
    public void grantRole(List<HivePrincipal> principals, List<String> roles, boolean option, HivePrincipal grantor) {
        record("grantRole", principals, roles, option, grantor);
    }

    @Override
    public void revokeRole(List<HivePrincipal> principals, List<String> roles, boolean option, HivePrincipal grantor) {
        record("revokeRole", principals, roles, option, grantor);
    }

    @Override
    public List<String> getAllRoles() {
        record("getAllRoles");
        return List.copyOf(new TreeMap<>(site.roles).keySet());
    }

    @Override
    public List<HivePrivilegeInfo> showPrivileges(HivePrincipal principal, HivePrivilegeObject object) {
        record("showPrivileges", principal, object);
        return List.of(new HivePrivilegeInfo(principal, new HivePrivilege("SELECT", null), object, principal, true, 7));
    }

    @Override
    public void setCurrentRole(String role) {
        record("setCurrentRole", role);
    }

    @Override
    public List<String> getCurrentRoleNames() {
        return site.roles.getOrDefault(user, List.of());
    }

    @Override
    public void applyAuthorizationConfigPolicy(HiveConf conf) {
        record("applyAuthorizationConfigPolicy");
    }

    @Override
    public HivePolicyProvider getHivePolicyProvider() {
        throw new UnsupportedOperationException();
    }
}
