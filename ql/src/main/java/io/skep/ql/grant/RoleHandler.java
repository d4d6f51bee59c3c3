package io.skep.ql.grant;

import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionRoles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** CREATE ROLE and DROP ROLE. */
public final class RoleHandler implements StatementHandler {
    private static final List<String> RESERVED = List.of("ALL", "DEFAULT", "NONE");

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        String role = SyntaxText.identifier(statement.child(0));
        SessionRoles roles = context.access().ofSession().roles();
        PrivilegeStore store = context.services().privileges();
        if (statement.is(HiveParser.TOK_DROPROLE)) {
            return CommandStatement.changing("DROPROLE", run -> {
                if (!roles.isAdmin()) {
                    throw RoleErrors.adminOnly("Current user : " + roles.user() + " is not allowed to drop role");
                }
                if (role.equals(PrivilegeStore.ADMIN) || role.equals(PrivilegeStore.PUBLIC)) {
                    throw RoleErrors.invalid("Error dropping role: public,admin roles can't be dropped.");
                }
                run.beginCommit();
                store.removeRole(role);
            });
        }
        return CommandStatement.changing("CREATEROLE", run -> {
            if (!roles.isAdmin()) {
                throw RoleErrors.adminOnly("Current user : " + roles.user() + " is not allowed to add roles");
            }
            if (RESERVED.contains(role.toUpperCase(Locale.ROOT))) {
                throw RoleErrors.invalid("Role name cannot be one of the reserved roles: " + RESERVED);
            }
            if (role.equals(PrivilegeStore.PUBLIC)) {
                throw RoleErrors.invalid("Error create role: public role implicitly exists. It can't be created.");
            }
            run.beginCommit();
            store.addRole(role, roles.user());
        });
    }
}
