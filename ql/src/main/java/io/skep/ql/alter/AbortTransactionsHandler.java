package io.skep.ql.alter;

import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * ABORT TRANSACTIONS id ... . Their statements fail, wherever they run. As in Hive, ids of transactions that are not
 * open are passed over, and everybody may run it.
 */
public final class AbortTransactionsHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        List<Long> transactions = ids(statement, "a transaction");
        return CommandStatement.of(
                "ABORT_TRANSACTIONS",
                () -> context.services().transactions().store().abortAll(transactions));
    }

    /** @param what names what has the ids, for errors */
    static List<Long> ids(SyntaxNode statement, String what) {
        return statement.children().stream().map(node -> id(node, what)).toList();
    }

    private static long id(SyntaxNode node, String what) {
        try {
            return Long.parseLong(node.text());
        } catch (NumberFormatException e) {
            throw CompileErrors.plain(
                    node.position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    "'" + CompileErrors.shown(node.text()) + "' is not the id of " + what);
        }
    }
}
