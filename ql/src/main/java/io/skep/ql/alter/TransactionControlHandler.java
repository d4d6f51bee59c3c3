package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Refuses START TRANSACTION, COMMIT, ROLLBACK and SET AUTOCOMMIT, as Hive does: each statement is a transaction. */
public final class TransactionControlHandler implements StatementHandler {
    private static final String HINT = "each statement is a transaction of its own, which commits when it succeeds";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        throw switch (statement.type()) {
            case HiveParser.TOK_COMMIT -> withoutTransaction("COMMIT", statement);
            case HiveParser.TOK_ROLLBACK -> withoutTransaction("ROLLBACK", statement);
            case HiveParser.TOK_SET_AUTOCOMMIT -> notSupported("SET_AUTOCOMMIT", statement);
            default -> notSupported("START_TRANSACTION", statement);
        };
    }

    private static SkepException withoutTransaction(String operation, SyntaxNode statement) {
        return CompileErrors.plain(
                        statement.position(),
                        StandardErrorCode.NOT_SUPPORTED,
                        ErrorMsg.OP_NOT_ALLOWED_WITHOUT_TXN,
                        ErrorMsg.OP_NOT_ALLOWED_WITHOUT_TXN.format(operation))
                .withHint(HINT);
    }

    private static SkepException notSupported(String operation, SyntaxNode statement) {
        return CompileErrors.plain(
                        statement.position(),
                        StandardErrorCode.NOT_SUPPORTED,
                        ErrorMsg.GENERIC_ERROR,
                        operation + " is not supported yet.")
                .withHint(HINT);
    }
}
