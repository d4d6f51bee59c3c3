package io.skep.itests.ranger;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.security.authorization.plugin.AbstractHiveAuthorizer;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAccessControlException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzContext;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthzPluginException;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveOperationType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePolicyProvider;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrincipal;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilege;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeInfo;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject.HivePrivilegeObjectType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveRoleGrant;
import org.apache.ranger.plugin.policyengine.RangerAccessRequest.ResourceMatchingScope;
import org.apache.ranger.plugin.policyengine.RangerAccessRequestImpl;
import org.apache.ranger.plugin.policyengine.RangerAccessResourceImpl;
import org.apache.ranger.plugin.policyengine.RangerAccessResult;
import org.apache.ranger.plugin.service.RangerBasePlugin;

/** Asks Ranger's policy engine for one session. Roles and grants are Ranger's, and are not changed from here. */
final class RangerFileAuthorizer extends AbstractHiveAuthorizer {
    private static final String ANY = "_any";

    private final RangerBasePlugin plugin;
    private final String user;
    private final Set<String> groups;

    RangerFileAuthorizer(RangerBasePlugin plugin, String user, Set<String> groups) {
        this.plugin = plugin;
        this.user = user;
        this.groups = groups;
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
        for (HivePrivilegeObject input : inputs) {
            require(input, readType(operation, input), operation, context);
        }
        for (HivePrivilegeObject output : outputs) {
            require(output, writeType(operation, output), operation, context);
        }
    }

    private static String readType(HiveOperationType operation, HivePrivilegeObject input) {
        if (input.getType() == HivePrivilegeObjectType.DATABASE) {
            return ANY;
        }
        return operation.name().startsWith("ALTER") || operation.name().startsWith("DROP")
                ? writeType(operation, input)
                : isUri(input) ? "read" : "select";
    }

    private static String writeType(HiveOperationType operation, HivePrivilegeObject output) {
        if (isUri(output)) {
            return "write";
        }
        return switch (output.getActionType()) {
            case INSERT, INSERT_OVERWRITE, UPDATE, DELETE -> "update";
            case OTHER -> {
                String name = operation.name();
                boolean table = output.getType() == HivePrivilegeObjectType.TABLE_OR_VIEW;
                if (name.startsWith("DROP")) {
                    yield table ? "drop" : ANY;
                }
                yield name.startsWith("CREATE") ? (table ? "create" : ANY) : "alter";
            }
        };
    }

    private static boolean isUri(HivePrivilegeObject object) {
        return object.getType() == HivePrivilegeObjectType.LOCAL_URI
                || object.getType() == HivePrivilegeObjectType.DFS_URI;
    }

    private void require(
            HivePrivilegeObject object, String access, HiveOperationType operation, HiveAuthzContext context)
            throws HiveAccessControlException {
        List<String> columns = object.getColumns() == null ? List.of() : object.getColumns();
        if (columns.isEmpty()) {
            require(resource(object, null), access, operation, context);
        }
        for (String column : columns) {
            require(resource(object, column), access, operation, context);
        }
    }

    private void require(
            Map<String, Object> resource, String access, HiveOperationType operation, HiveAuthzContext context)
            throws HiveAccessControlException {
        RangerAccessResult result = plugin.isAccessAllowed(request(resource, access, operation.name(), context));
        if (result == null || !result.getIsAllowed()) {
            throw new HiveAccessControlException("Permission denied: user [" + user + "] does not have [" + access
                    + "] privilege on [" + String.join("/", resource.values().toArray(String[]::new)) + "]");
        }
    }

    private static Map<String, Object> resource(HivePrivilegeObject object, String column) {
        Map<String, Object> elements = new LinkedHashMap<>();
        switch (object.getType()) {
            case LOCAL_URI, DFS_URI -> elements.put("url", object.getObjectName());
            case COMMAND_PARAMS -> elements.put("global", "*");
            case FUNCTION -> {
                elements.put("database", object.getDbname());
                elements.put("udf", object.getObjectName());
            }
            default -> {
                elements.put("database", object.getDbname());
                if (object.getObjectName() != null) {
                    elements.put("table", object.getObjectName());
                }
                if (column != null) {
                    elements.put("column", column);
                }
            }
        }
        return elements;
    }

    private RangerAccessRequestImpl request(
            Map<String, Object> resource, String access, String action, HiveAuthzContext context) {
        RangerAccessRequestImpl request =
                new RangerAccessRequestImpl(new RangerAccessResourceImpl(resource), access, user, groups, Set.of());
        request.setAction(action);
        request.setClientIPAddress(context.getIpAddress());
        request.setRequestData(context.getCommandString());
        if (access.equals(ANY)) {
            request.setResourceMatchingScope(ResourceMatchingScope.SELF_OR_DESCENDANTS);
        }
        return request;
    }

    @Override
    public List<HivePrivilegeObject> filterListCmdObjects(List<HivePrivilegeObject> listed, HiveAuthzContext context) {
        return listed.stream()
                .filter(object -> {
                    RangerAccessResult result =
                            plugin.isAccessAllowed(request(resource(object, null), ANY, "SHOW", context));
                    return result != null && result.getIsAllowed();
                })
                .toList();
    }

    @Override
    public boolean needTransform() {
        return true;
    }

    @Override
    public List<HivePrivilegeObject> applyRowFilterAndColumnMasking(
            HiveAuthzContext context, List<HivePrivilegeObject> objects) {
        for (HivePrivilegeObject object : objects) {
            RangerAccessResult filter =
                    plugin.evalRowFilterPolicies(request(resource(object, null), "select", "QUERY", context), null);
            if (filter != null && filter.isRowFilterEnabled()) {
                object.setRowFilterExpression(filter.getFilterExpr());
            }
            List<String> masks = new ArrayList<>();
            for (String column : object.getColumns()) {
                masks.add(mask(
                        column,
                        plugin.evalDataMaskPolicies(
                                request(resource(object, column), "select", "QUERY", context), null)));
            }
            object.setCellValueTransformers(masks);
        }
        return objects;
    }

    /** Returns the expression of a mask, as Ranger's service definition of Hive writes it. */
    private static String mask(String column, RangerAccessResult result) {
        if (result == null || !result.isMaskEnabled()) {
            return column;
        }
        return switch (result.getMaskType()) {
            case "MASK_NULL" -> "NULL";
            case "CUSTOM" -> result.getMaskedValue().replace("{col}", column);
            default -> result.getMaskTypeDef().getTransformer().replace("{col}", column);
        };
    }

    private static HiveAuthzPluginException administered() {
        return new HiveAuthzPluginException("roles and grants are changed in Ranger");
    }

    @Override
    public void grantPrivileges(
            List<HivePrincipal> principals,
            List<HivePrivilege> privileges,
            HivePrivilegeObject object,
            HivePrincipal grantor,
            boolean option)
            throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public void revokePrivileges(
            List<HivePrincipal> principals,
            List<HivePrivilege> privileges,
            HivePrivilegeObject object,
            HivePrincipal grantor,
            boolean option)
            throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public void createRole(String role, HivePrincipal grantor) throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public void dropRole(String role) throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public List<HiveRoleGrant> getPrincipalGrantInfoForRole(String role) throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public List<HiveRoleGrant> getRoleGrantInfoForPrincipal(HivePrincipal principal) throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public void grantRole(List<HivePrincipal> principals, List<String> roles, boolean option, HivePrincipal grantor)
            throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public void revokeRole(List<HivePrincipal> principals, List<String> roles, boolean option, HivePrincipal grantor)
            throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public List<String> getAllRoles() throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public List<HivePrivilegeInfo> showPrivileges(HivePrincipal principal, HivePrivilegeObject object)
            throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public void setCurrentRole(String role) throws HiveAuthzPluginException {
        throw administered();
    }

    @Override
    public List<String> getCurrentRoleNames() {
        return List.of();
    }

    @Override
    public void applyAuthorizationConfigPolicy(HiveConf conf) {}

    @Override
    public HivePolicyProvider getHivePolicyProvider() {
        throw new UnsupportedOperationException("Ranger's policies are read from a file");
    }
}
