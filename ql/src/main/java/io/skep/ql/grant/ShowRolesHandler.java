package io.skep.ql.grant;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrincipalKind;
import io.skep.metastore.privilege.RoleGrant;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionRoles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** SHOW ROLES, SHOW PRINCIPALS role, and SHOW ROLE GRANT principal. */
public final class ShowRolesHandler implements StatementHandler {
    static final long MILLIS = 1000;

    static final List<ResultColumn> MEMBERS = List.of(
            text("principal_name"),
            text("principal_type"),
            new ResultColumn("grant_option", PrimitiveType.BOOLEAN, ""),
            text("grantor"),
            text("grantor_type"),
            new ResultColumn("grant_time", PrimitiveType.BIGINT, ""));

    static final List<ResultColumn> ROLES = List.of(
            text("role"),
            new ResultColumn("grant_option", PrimitiveType.BOOLEAN, ""),
            new ResultColumn("grant_time", PrimitiveType.BIGINT, ""),
            text("grantor"));

    static ResultColumn text(String name) {
        return new ResultColumn(name, PrimitiveType.STRING, "");
    }

    static Datum flag(boolean value) {
        return new Datum.OfLong(value ? 1 : 0);
    }

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        return switch (statement.type()) {
            case HiveParser.TOK_SHOW_ROLE_PRINCIPALS -> members(SyntaxText.identifier(statement.child(0)), context);
            case HiveParser.TOK_SHOW_ROLE_GRANT -> rolesOf(SyntaxText.principal(statement.child(0)), context);
            default -> all(context);
        };
    }

    private static SqlStatement all(StatementContext context) {
        SessionRoles roles = context.access().ofSession().roles();
        return CommandStatement.withText("SHOW_ROLES", List.of("role"), log -> {
            if (!roles.isAdmin()) {
                throw RoleErrors.adminOnly("Current user : " + roles.user() + " is not allowed to list roles");
            }
            return context.services().privileges().roles().stream()
                    .map(role -> List.of(Optional.of(role)))
                    .toList();
        });
    }

    private static SqlStatement members(String role, StatementContext context) {
        SessionRoles roles = context.access().ofSession().roles();
        return CommandStatement.withRows("SHOW_ROLE_PRINCIPALS", MEMBERS, log -> {
            if (!roles.isAdmin() && !roles.mayGrant(role)) {
                throw RoleErrors.adminOrOption(
                        "Current user : " + roles.user() + " is not allowed get principals in a role");
            }
            return context.services().privileges().members(role).stream()
                    .map(ShowRolesHandler::member)
                    .toList();
        });
    }

    private static List<Datum> member(RoleGrant grant) {
        return List.of(
                Datum.ofText(grant.member().name()),
                Datum.ofText(grant.member().kind().name()),
                flag(grant.adminOption()),
                Datum.ofText(grant.grantor().name()),
                Datum.ofText(grant.grantor().kind().name()),
                new Datum.OfLong(grant.grantTime() * MILLIS));
    }

    private static SqlStatement rolesOf(Principal principal, StatementContext context) {
        SessionRoles roles = context.access().ofSession().roles();
        return CommandStatement.withRows("SHOW_ROLE_GRANT", ROLES, log -> {
            requireMaySee(principal, roles, "Error getting role grant information for user " + principal.name() + ": ");
            return context.services().privileges().rolesOf(principal).stream()
                    .map(grant -> List.<Datum>of(
                            Datum.ofText(grant.role()),
                            flag(grant.adminOption()),
                            new Datum.OfLong(grant.grantTime() * MILLIS),
                            Datum.ofText(grant.grantor().name())))
                    .toList();
        });
    }

    /** Requires that a principal is the session's user or one of its roles, except for the role admin. */
    static void requireMaySee(Principal principal, SessionRoles roles, String prefix) {
        if (roles.isAdmin()) {
            return;
        }
        if (principal.kind() == PrincipalKind.USER && !principal.name().equals(roles.user())) {
            throw RoleErrors.adminOnly(prefix + "User : " + roles.user()
                    + " is not allowed check privileges of another user : " + principal.name());
        }
        if (principal.kind() == PrincipalKind.ROLE && !roles.all().contains(principal.name())) {
            throw RoleErrors.adminOnly(prefix + "User : " + roles.user()
                    + " is not allowed check privileges of a role it does not belong to : " + principal.name());
        }
    }
}
