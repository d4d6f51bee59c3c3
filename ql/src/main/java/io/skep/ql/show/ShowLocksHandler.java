package io.skep.ql.show;

import io.skep.metastore.transaction.ListedLock;
import io.skep.metastore.transaction.LockFilter;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * SHOW LOCKS [table [PARTITION (...)]] [EXTENDED] and SHOW LOCKS DATABASE name [EXTENDED]: the locks of transactions.
 * EXTENDED shows the same, as in Hive.
 */
public final class ShowLocksHandler implements StatementHandler {
    private static final List<String> COLUMNS = List.of(
            "lockid",
            "database",
            "table",
            "partition",
            "lock_state",
            "blocked_by",
            "lock_type",
            "transaction_id",
            "last_heartbeat",
            "acquired_at",
            "user",
            "hostname",
            "agent_info");

    /** Hive's text for a column without a value. */
    private static final String NONE = "NULL";

    private static final String NOT_BLOCKED = " ".repeat(12);

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        LockFilter filter = filter(statement, context);
        return CommandStatement.withText(
                "SHOWLOCKS",
                COLUMNS,
                log -> context.services().transactions().store().locks(filter).stream()
                        .map(ShowLocksHandler::row)
                        .toList());
    }

    private static LockFilter filter(SyntaxNode statement, StatementContext context) {
        if (statement.is(HiveParser.TOK_SHOWDBLOCKS)) {
            return LockFilter.of(SyntaxText.identifier(statement.child(0)), Optional.empty(), Optional.empty());
        }
        return statement
                .first(HiveParser.TOK_TABTYPE)
                .map(node -> TransactionalObject.of(node, context))
                .map(named -> LockFilter.of(named.database(), Optional.of(named.table()), named.partition()))
                .orElse(LockFilter.ALL);
    }

    private static List<Optional<String>> row(ListedLock lock) {
        String blockedBy = lock.blockedBy().isPresent()
                ? lock.blockedBy().getAsLong() + "." + lock.blockedByPart().orElse(0)
                : NOT_BLOCKED;
        return List.of(
                Optional.of(lock.lock() + "." + lock.part()),
                Optional.of(lock.database()),
                Optional.of(lock.table().orElse(NONE)),
                Optional.of(lock.partition().orElse(NONE)),
                Optional.of(lock.isAcquired() ? "ACQUIRED" : "WAITING"),
                Optional.of(blockedBy),
                Optional.of(lock.kind().name()),
                Optional.of(unlessZero(lock.transaction())),
                Optional.of(Long.toString(lock.lastHeartbeat())),
                Optional.of(unlessZero(lock.acquired())),
                Optional.of(lock.user()),
                Optional.of(lock.host()),
                Optional.of(lock.agent().orElse(NONE)));
    }

    private static String unlessZero(long value) {
        return value == 0 ? NONE : Long.toString(value);
    }
}
