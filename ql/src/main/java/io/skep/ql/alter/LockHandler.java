package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;

/** Refuses LOCK and UNLOCK, as Hive does with transactions: locks belong to transactions there. */
public final class LockHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "LockManager not specified: there are no explicit locks")
                .withHint("readers need none: a statement's files become visible all at once")
                .at(statement.position());
    }
}
