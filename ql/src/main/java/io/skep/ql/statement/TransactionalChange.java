package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs statements that change transactional tables without a query, each in a transaction with Hive's locks. The locks
 * keep away statements of other servers and of Hive. They are acquired before the leases of tables, as by writes and
 * reads, and no work that runs here waits for other locks. Statements that use no transactional table open no
 * transaction.
 */
public final class TransactionalChange {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalChange.class);

    private TransactionalChange() {}

    /**
     * Returns the use of a table that a statement changes; none unless it is transactional.
     *
     * @param partition the name of the only partition that is changed
     */
    public static List<TableUse> uses(Table table, TableAccess access, Optional<String> partition) {
        if (!table.isTransactional()) {
            return List.of();
        }
        return List.of(new TableUse(table, access, partition, false));
    }

    public static List<TableUse> uses(Table table, TableAccess access) {
        return uses(table, access, Optional.empty());
    }

    /**
     * Changes definitions, which are not part of the transaction: it only holds the locks. A failure to end it after
     * the change is logged, since the statement has succeeded.
     *
     * @param run the statement's run, which is cancelled when the transaction is lost
     * @throws SkepException LOCK_TIMED_OUT, OPERATION_CANCELED, TRANSACTION_ABORTED, or the failure of the work
     */
    public static void define(List<TableUse> uses, CommandRun run, StatementContext context, Runnable work) {
        define(uses, run, context, _ -> work.run());
    }

    /** As above, for work that needs the snapshot. */
    public static void define(
            List<TableUse> uses, CommandRun run, StatementContext context, Consumer<TransactionScope> work) {
        write(uses, run, context, scope -> {
            work.accept(scope);
            try {
                scope.commit();
            } catch (SkepException e) {
                LOG.warn("the locks of a definition are left to their timeout: {}", e.fullMessage());
            }
        });
    }

    /**
     * Takes a write id of a table whose definition is changed exclusively, since that may change its rows. Materialized
     * views over it are outdated then. Called within {@link #define}, before the change.
     */
    public static void changeRows(Table table, List<TableUse> uses, TransactionScope scope) {
        if (uses.stream().anyMatch(use -> use.access() == TableAccess.DEFINE_EXCLUSIVE)) {
            scope.transaction().writeId(table);
        }
    }

    /**
     * Changes what the transaction makes visible.
     *
     * @param work commits the transaction as its last step; otherwise it is aborted
     */
    public static void write(
            List<TableUse> uses, CommandRun run, StatementContext context, Consumer<TransactionScope> work) {
        try (TransactionScope scope = context.newTransactionScope()) {
            scope.use(uses);
            scope.whenLost(run::cancel);
            scope.begin();
            work.accept(scope);
        }
    }

    /**
     * Checks a table that was looked up with its lease.
     *
     * @throws SkepException TABLE_CHANGED when it has become transactional after the locks were chosen
     */
    public static void requireLocked(Table now, List<TableUse> uses) {
        boolean isLocked =
                uses.stream().anyMatch(use -> use.table().qualifiedName().equals(now.qualifiedName()));
        if (!isLocked) {
            requirePlain(now);
        }
    }

    /** @throws SkepException TABLE_CHANGED when the table has become transactional meanwhile */
    public static void requirePlain(Table now) {
        if (now.isTransactional()) {
            throw changed(now);
        }
    }

    /** Returns the error of a statement whose table has become transactional, or of another kind, meanwhile. */
    public static SkepException changed(Table now) {
        return new SkepException(
                        StandardErrorCode.TABLE_CHANGED,
                        "table " + now.qualifiedName() + " was made transactional by another statement meanwhile")
                .withHint("run the statement again");
    }
}
