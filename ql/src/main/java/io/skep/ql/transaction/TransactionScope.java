package io.skep.ql.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.LockComponent;
import io.skep.storage.acid.TableSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a statement that may need one. It is begun when the statement first lists the files of its tables,
 * and all plans and attempts of the statement see the same snapshot. A statement without transactional tables opens
 * none. Thread-safe.
 */
public final class TransactionScope implements AutoCloseable {
    private final Begin begin;

    @GuardedBy("this")
    private final List<TableUse> uses = new ArrayList<>();

    @GuardedBy("this")
    private Consumer<SkepException> cancel = _ -> {};

    @GuardedBy("this")
    private final List<Runnable> afterReads = new ArrayList<>();

    @GuardedBy("this")
    private @Nullable StatementTransaction transaction;

    @GuardedBy("this")
    private boolean closed;

    /** Begins a transaction; the consumer cancels the statement when the transaction is lost. */
    @FunctionalInterface
    public interface Begin {
        StatementTransaction begin(List<TableUse> uses, Consumer<SkepException> cancel);
    }

    public TransactionScope(Begin begin) {
        this.begin = begin;
    }

    /** Adds transactional tables that the statement reads or writes. Called before {@link #begin}. */
    public synchronized void use(Collection<TableUse> used) {
        if (transaction != null) {
            throw new IllegalStateException("the transaction has begun");
        }
        uses.addAll(used);
    }

    /** Returns the locks that the transaction has, or would have. */
    public synchronized List<LockComponent> locks(TransactionSettings settings) {
        return LockPlan.of(uses, settings);
    }

    /** Sets what cancels the statement. Called before {@link #begin}. */
    public synchronized void whenLost(Consumer<SkepException> canceller) {
        cancel = canceller;
    }

    /**
     * Begins the transaction, if the statement needs one and has not begun it. Waits for locks; an interrupt ends the
     * wait.
     *
     * @throws SkepException see {@link StatementTransactions#begin}
     */
    public void begin() {
        Consumer<SkepException> canceller;
        List<TableUse> used;
        synchronized (this) {
            if (uses.isEmpty() || transaction != null) {
                return;
            }
            checkOpen();
            canceller = cancel;
            used = List.copyOf(uses);
        }
        StatementTransaction begun = begin.begin(used, canceller);
        synchronized (this) {
            if (!closed) {
                transaction = begun;
                return;
            }
        }
        begun.close();
        checkOpen();
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the statement was closed");
        }
    }

    private synchronized Optional<StatementTransaction> current() {
        return Optional.ofNullable(transaction);
    }

    /** Returns the transaction. It must have begun. */
    public StatementTransaction transaction() {
        return current().orElseThrow(() -> new IllegalStateException("no transaction has begun"));
    }

    /**
     * Returns what the statement sees of a table, which are no deleted rows; empty if the table is not transactional.
     *
     * @param rowIds whether the row identifiers are read
     */
    public Optional<TableSnapshot> snapshot(Table table, boolean rowIds) {
        if (!table.isTransactional()) {
            return Optional.empty();
        }
        StatementTransaction open = transaction();
        return Optional.of(new TableSnapshot(
                open.visibleTransactions(), open.snapshot(table), table.isInsertOnly(), rowIds, false));
    }

    /**
     * Adds what frees something that the statement reads.
     *
     * @throws SkepException OPERATION_CANCELED when the statement was closed; the work is done then
     */
    public void whenRead(Runnable work) {
        synchronized (this) {
            if (!closed) {
                afterReads.add(work);
                return;
            }
        }
        work.run();
        checkOpen();
    }

    /** Whether the statement was closed. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Frees what the statement reads. Nothing reads it any more. */
    public void endReads() {
        List<Runnable> all;
        synchronized (this) {
            all = List.copyOf(afterReads);
            afterReads.clear();
        }
        all.forEach(Runnable::run);
    }

    /** Commits the transaction, if one has begun. */
    public void commit() {
        current().ifPresent(StatementTransaction::commit);
    }

    /** Whether a transaction was begun and has committed. */
    public boolean isCommitted() {
        return current().filter(StatementTransaction::isCommitted).isPresent();
    }

    /** Whether the commit has failed so that the database may have committed or not. */
    public boolean isOutcomeUnknown() {
        return current().filter(StatementTransaction::isOutcomeUnknown).isPresent();
    }

    /** Aborts the transaction, unless it has ended, and frees what was read. None begins later. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        try {
            current().ifPresent(StatementTransaction::close);
        } finally {
            endReads();
        }
    }
}
