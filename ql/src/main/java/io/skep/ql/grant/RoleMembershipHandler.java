package io.skep.ql.grant;

import io.skep.common.error.SkepException;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrivilegeStore;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionRoles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * GRANT [ROLE] roles TO principals [WITH ADMIN OPTION], and REVOKE [ADMIN OPTION FOR] [ROLE] roles FROM principals. The
 * memberships change one after the other, as in Hive: an error leaves those that came before it.
 */
public final class RoleMembershipHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        boolean grants = statement.is(HiveParser.TOK_GRANT_ROLE);
        List<Principal> members = principals(statement);
        List<String> names = roles(statement);
        boolean option =
                statement.has(HiveParser.TOK_GRANT_WITH_ADMIN_OPTION) || statement.has(HiveParser.TOK_ADMIN_OPTION_FOR);
        SessionRoles roles = context.access().ofSession().roles();
        PrivilegeStore store = context.services().privileges();
        return CommandStatement.changing(grants ? "GRANT_ROLE" : "REVOKE_ROLE", run -> {
            names.forEach(role -> requireMayGrant(role, roles, grants));
            if (grants && names.contains(PrivilegeStore.PUBLIC)) {
                throw RoleErrors.invalid("Error granting role: No user can be added to public. Since all users"
                        + " implicitly belong to public role.");
            }
            run.beginCommit();
            for (Principal member : members) {
                for (String role : names) {
                    if (grants) {
                        store.grantRole(role, member, Principal.user(roles.user()), option);
                    } else {
                        store.revokeRole(role, member, option);
                    }
                }
            }
        });
    }

    /** Returns the roles that a statement names. */
    static List<String> roles(SyntaxNode statement) {
        return statement.children().stream()
                .filter(child -> child.is(HiveParser.Identifier)
                        || child.childCount() == 0
                                && !child.is(HiveParser.TOK_GRANT_WITH_ADMIN_OPTION)
                                && !child.is(HiveParser.TOK_ADMIN_OPTION_FOR))
                .map(SyntaxText::identifier)
                .toList();
    }

    /** @throws SkepException INVALID_GRANT for a group */
    static List<Principal> principals(SyntaxNode statement) {
        return statement.first(HiveParser.TOK_PRINCIPAL_NAME).stream()
                .flatMap(list -> list.children().stream())
                .map(SyntaxText::principal)
                .toList();
    }

    private static void requireMayGrant(String role, SessionRoles roles, boolean grants) {
        if (!roles.isAdmin() && !roles.mayGrant(role)) {
            throw RoleErrors.adminOrOption(
                    "Current user : " + roles.user() + " is not allowed to " + (grants ? "grant" : "revoke") + " role");
        }
    }
}
