package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionRoles;
import io.skep.ql.execution.RunningStatements.Running;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * KILL QUERY 'id' ... , also with the tag of queries instead of an id. Users may kill their own queries, and the role
 * admin all of them. As in Hive, the statement succeeds when there is no such query. Queries of other servers are not
 * found.
 */
public final class KillQueryHandler implements StatementHandler {
    private static final String REASON = "User invoked KILL QUERY";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        List<String> wanted =
                statement.children().stream().map(SyntaxText::string).toList();
        return CommandStatement.changing(
                "KILL_QUERY", run -> wanted.forEach(one -> kill(one, statement, context, run)));
    }

    private static void kill(String idOrTag, SyntaxNode statement, StatementContext context, CommandRun run) {
        // A tag may also be that of this statement's session.
        List<Running> found = context.services().running().find(idOrTag).stream()
                .filter(running -> !running.id().equals(context.queryId()))
                .toList();
        if (found.isEmpty()) {
            run.log("No query of this server has the id or tag " + idOrTag);
            return;
        }
        SessionRoles roles = context.access().ofSession().roles();
        boolean isAdmin = roles.isAdmin();
        List<Running> allowed = found.stream()
                .filter(running -> isAdmin || running.user().equals(roles.user()))
                .toList();
        if (allowed.isEmpty()) {
            throw denied(found, idOrTag, statement);
        }
        allowed.forEach(running -> running.cancel().accept(REASON));
    }

    private static SkepException denied(List<Running> found, String idOrTag, SyntaxNode statement) {
        boolean isId = found.getFirst().id().value().equals(idOrTag);
        return CompileErrors.task(
                        statement.position(),
                        StandardErrorCode.ACCESS_DENIED,
                        ErrorMsg.GENERIC_ERROR,
                        "No privilege to kill query " + (isId ? "id" : "tag"))
                .withHint("a query may be killed by its user, and by the role admin");
    }
}
