package io.skep.ql.grant;

import static io.skep.ql.grant.ShowRolesHandler.flag;

import io.skep.common.vector.Datum;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.PluginAuthorizer;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveAuthorizer;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrincipal;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrincipal.HivePrincipalType;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilege;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeInfo;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HivePrivilegeObject;
import org.apache.hadoop.hive.ql.security.authorization.plugin.HiveRoleGrant;
import org.jspecify.annotations.Nullable;

/**
 * Statements about roles and privileges while the authorizer of the site decides. Each calls the authorizer's method of
 * the same name, which also says who may do so.
 */
public final class PluginGrantHandler implements StatementHandler {
    private final String operation;

    /** @param operation the statement's kind, by the name of Hive's operation */
    public PluginGrantHandler(String operation) {
        this.operation = operation;
    }

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        PluginAuthorizer plugin = context.access().ofSession().plugin().orElseThrow();
        return switch (statement.type()) {
            case HiveParser.TOK_SHOW_CURRENT_ROLE -> names(plugin, HiveAuthorizer::getCurrentRoleNames);
            case HiveParser.TOK_SHOW_ROLES -> names(plugin, HiveAuthorizer::getAllRoles);
            case HiveParser.TOK_SHOW_ROLE_PRINCIPALS -> {
                String role = SyntaxText.identifier(statement.child(0));
                yield rows(
                        ShowRolesHandler.MEMBERS,
                        plugin,
                        asked -> asked.getPrincipalGrantInfoForRole(role).stream()
                                .map(PluginGrantHandler::member)
                                .toList());
            }
            case HiveParser.TOK_SHOW_ROLE_GRANT -> {
                HivePrincipal principal = principal(statement.child(0));
                yield rows(
                        ShowRolesHandler.ROLES,
                        plugin,
                        asked -> asked.getRoleGrantInfoForPrincipal(principal).stream()
                                .map(PluginGrantHandler::role)
                                .toList());
            }
            case HiveParser.TOK_SHOW_GRANT -> shown(statement, plugin, context);
            default -> change(plugin, change(statement, context));
        };
    }

    /** A change of the authorizer's roles or privileges. */
    @FunctionalInterface
    private interface Change {
        void in(HiveAuthorizer plugin) throws Exception;
    }

    private SqlStatement change(PluginAuthorizer plugin, Change change) {
        return CommandStatement.of(
                operation,
                () -> plugin.call(RoleErrors::denied, called -> {
                    change.in(called);
                    return null;
                }));
    }

    private Change change(SyntaxNode statement, StatementContext context) {
        HivePrincipal grantor = new HivePrincipal(context.session().user(), HivePrincipalType.USER);
        return switch (statement.type()) {
            case HiveParser.TOK_CREATEROLE -> {
                String role = SyntaxText.identifier(statement.child(0));
                yield plugin -> plugin.createRole(role, grantor);
            }
            case HiveParser.TOK_DROPROLE -> {
                String role = SyntaxText.identifier(statement.child(0));
                yield plugin -> plugin.dropRole(role);
            }
            case HiveParser.TOK_SET_ROLE -> {
                String role = SyntaxText.identifier(statement.child(0));
                yield plugin -> plugin.setCurrentRole(role);
            }
            case HiveParser.TOK_GRANT_ROLE -> {
                List<String> roles = RoleMembershipHandler.roles(statement);
                List<HivePrincipal> members = principals(statement);
                boolean option = statement.has(HiveParser.TOK_GRANT_WITH_ADMIN_OPTION);
                yield plugin -> plugin.grantRole(members, roles, option, grantor);
            }
            case HiveParser.TOK_REVOKE_ROLE -> {
                List<String> roles = RoleMembershipHandler.roles(statement);
                List<HivePrincipal> members = principals(statement);
                boolean option = statement.has(HiveParser.TOK_ADMIN_OPTION_FOR);
                yield plugin -> plugin.revokeRole(members, roles, option, grantor);
            }
            default -> privileges(statement, grantor, context);
        };
    }

    private static Change privileges(SyntaxNode statement, HivePrincipal grantor, StatementContext context) {
        List<HivePrincipal> principals = principals(statement);
        List<HivePrivilege> privileges = new ArrayList<>();
        for (SyntaxNode privilege :
                statement.first(HiveParser.TOK_PRIVILEGE_LIST).orElseThrow().children()) {
            List<String> columns = GrantedPrivileges.columns(privilege);
            privileges.add(new HivePrivilege(
                    GrantedPrivileges.name(privilege.child(0)), columns.isEmpty() ? null : new ArrayList<>(columns)));
        }
        SyntaxNode named = GrantedPrivileges.named(statement);
        HivePrivilegeObject object = object(named, context);
        if (statement.is(HiveParser.TOK_GRANT)) {
            boolean option = statement.has(HiveParser.TOK_GRANT_WITH_OPTION);
            return plugin -> plugin.grantPrivileges(principals, privileges, object, grantor, option);
        }
        boolean option = statement.has(HiveParser.TOK_GRANT_OPTION_FOR);
        return plugin -> plugin.revokePrivileges(principals, privileges, object, grantor, option);
    }

    private static HivePrivilegeObject object(SyntaxNode named, StatementContext context) {
        AccessNeed need = AccessNeed.input(GrantedPrivileges.object(named, context));
        return context.access().ofSession().plugin().orElseThrow().object(need);
    }

    private SqlStatement names(PluginAuthorizer plugin, PluginAuthorizer.Call<List<String>> call) {
        return CommandStatement.withText(
                operation,
                List.of("role"),
                log -> plugin.call(RoleErrors::denied, call).stream()
                        .map(name -> List.of(Optional.of(name)))
                        .toList());
    }

    private SqlStatement rows(
            List<ResultColumn> columns, PluginAuthorizer plugin, PluginAuthorizer.Call<List<List<Datum>>> call) {
        return CommandStatement.withRows(operation, columns, log -> plugin.call(RoleErrors::denied, call));
    }

    private SqlStatement shown(SyntaxNode statement, PluginAuthorizer plugin, StatementContext context) {
        Set<Integer> kinds = Set.of(HiveParser.TOK_USER, HiveParser.TOK_ROLE, HiveParser.TOK_GROUP);
        @Nullable
        HivePrincipal principal = statement.children().stream()
                .filter(child -> kinds.contains(child.type()))
                .findFirst()
                .map(PluginGrantHandler::principal)
                .orElse(null);
        @Nullable
        HivePrivilegeObject object = statement
                .first(HiveParser.TOK_PRIV_OBJECT_COL)
                .map(node -> object(node.child(0), context))
                .orElse(null);
        return rows(
                ShowGrantHandler.COLUMNS,
                plugin,
                asked -> asked.showPrivileges(principal, object).stream()
                        .map(PluginGrantHandler::grant)
                        .toList());
    }

    private static List<HivePrincipal> principals(SyntaxNode statement) {
        return statement.first(HiveParser.TOK_PRINCIPAL_NAME).stream()
                .flatMap(list -> list.children().stream())
                .map(PluginGrantHandler::principal)
                .toList();
    }

    /** Returns a user, role or group. Authorizers of sites know groups. */
    private static HivePrincipal principal(SyntaxNode node) {
        HivePrincipalType type = switch (node.type()) {
            case HiveParser.TOK_USER -> HivePrincipalType.USER;
            case HiveParser.TOK_ROLE -> HivePrincipalType.ROLE;
            case HiveParser.TOK_GROUP -> HivePrincipalType.GROUP;
            default -> throw new IllegalArgumentException(node.text());
        };
        return new HivePrincipal(SyntaxText.principalName(node), type);
    }

    private static Datum text(@Nullable Object value) {
        return Datum.ofText(value == null ? "" : value.toString());
    }

    private static Datum time(int seconds) {
        return new Datum.OfLong(seconds * ShowRolesHandler.MILLIS);
    }

    private static List<Datum> member(HiveRoleGrant grant) {
        return List.of(
                text(grant.getPrincipalName()),
                text(grant.getPrincipalType()),
                flag(grant.isGrantOption()),
                text(grant.getGrantor()),
                text(grant.getGrantorType()),
                time(grant.getGrantTime()));
    }

    private static List<Datum> role(HiveRoleGrant grant) {
        return List.of(
                text(grant.getRoleName()),
                flag(grant.isGrantOption()),
                time(grant.getGrantTime()),
                text(grant.getGrantor()));
    }

    private static List<Datum> grant(HivePrivilegeInfo grant) {
        HivePrivilegeObject object = grant.getObject();
        List<String> columns = object.getColumns();
        List<String> partition = object.getPartKeys();
        HivePrincipal grantor = grant.getGrantorPrincipal();
        return List.of(
                text(object.getDbname()),
                text(object.getObjectName()),
                text(partition),
                text(columns == null ? null : String.join(",", columns)),
                text(grant.getPrincipal().getName()),
                text(grant.getPrincipal().getType()),
                text(grant.getPrivilege().getName()),
                flag(grant.isGrantOption()),
                time(grant.getGrantTime()),
                text(grantor == null ? null : grantor.getName()));
    }
}
