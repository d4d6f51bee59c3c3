package io.skep.ql.grant;

import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionRoles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.session.RoleChoice;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Optional;

/** SHOW CURRENT ROLES, and SET ROLE name | ALL | NONE. */
public final class CurrentRoleHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SessionRoles roles = context.access().ofSession().roles();
        if (statement.childCount() == 0) {
            return CommandStatement.withText(
                    "SHOW_ROLES",
                    List.of("role"),
                    log -> roles.current().stream()
                            .map(role -> List.of(Optional.of(role)))
                            .toList());
        }
        String name = SyntaxText.identifier(statement.child(0));
        return CommandStatement.of("SHOW_ROLES", () -> {
            RoleChoice choice = switch (name) {
                case "all" -> new RoleChoice.All();
                case "none" -> new RoleChoice.None();
                default -> {
                    if (!roles.all().contains(name)) {
                        throw RoleErrors.denied(roles.user() + " doesn't belong to role " + name);
                    }
                    yield new RoleChoice.One(name);
                }
            };
            context.session().chooseRole(choice);
        });
    }
}
