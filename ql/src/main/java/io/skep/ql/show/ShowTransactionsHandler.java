package io.skep.ql.show;

import io.skep.metastore.transaction.ListedTransaction;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.List;
import java.util.Optional;

/** SHOW TRANSACTIONS: those that are open, or aborted and not cleaned up yet. */
public final class ShowTransactionsHandler implements StatementHandler {
    private static final List<String> COLUMNS =
            List.of("txnid", "state", "startedtime", "lastheartbeattime", "user", "host");

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        return CommandStatement.withText(
                "SHOW_TRANSACTIONS",
                COLUMNS,
                log -> context.services().transactions().store().transactions().stream()
                        .map(ShowTransactionsHandler::row)
                        .toList());
    }

    private static List<Optional<String>> row(ListedTransaction transaction) {
        return List.of(
                Optional.of(Long.toString(transaction.id())),
                Optional.of(transaction.isAborted() ? "ABORTED" : "OPEN"),
                Optional.of(Long.toString(transaction.started())),
                Optional.of(Long.toString(transaction.lastHeartbeat())),
                Optional.of(transaction.user()),
                Optional.of(transaction.host()));
    }
}
