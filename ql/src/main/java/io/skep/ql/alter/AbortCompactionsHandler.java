package io.skep.ql.alter;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.List;

/**
 * ABORT COMPACTIONS id ... takes compactions out of the queue that no worker has begun. As in Hive, it has no rows; the
 * log says what has happened to each of them, and everybody may run it.
 */
public final class AbortCompactionsHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        List<Long> ids = AbortTransactionsHandler.ids(statement, "a compaction");
        return CommandStatement.changing("ABORT_COMPACTION", run -> {
            run.beginCommit();
            context.services()
                    .transactions()
                    .store()
                    .compactionQueue()
                    .abort(ids)
                    .forEach(run::log);
        });
    }
}
