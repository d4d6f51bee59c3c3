package io.skep.engine.operator.join;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.lifecycle.Closeables;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.common.vector.Vector;
import io.skep.engine.filter.KeyFilter;
import io.skep.engine.filter.KeyFilterBuilder;
import io.skep.engine.filter.RuntimeFilterFuture;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorMemory;
import io.skep.engine.operator.SpillPartitions;
import io.skep.engine.rows.Compaction;
import io.skep.engine.rows.Concatenation;
import io.skep.engine.rows.JoinIndex;
import io.skep.engine.rows.RetainedBytes;
import io.skep.engine.rows.RowEquality;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The build side of a join, which all drivers fill and then probe. Rows are kept in memory until memory is refused or
 * revoked. Then all of them are spilled to files, partitioned by the hash of their keys, and probe rows must be spilled
 * too. A table that is being probed is spilled in two steps. First, no driver starts to use it any more. Then the last
 * driver to finish its batch writes the table to disk. Guarded by its own monitor.
 */
final class JoinBuild implements AutoCloseable {
    private static final long MAX_ROWS = 1 << 28;
    private static final long MAX_BYTES = 1L << 30;

    private final JoinSpec spec;
    private final List<RuntimeFilterFuture> promises;
    private final OperatorContext context;
    private final OperatorMemory memory;
    private final CompletableFuture<@Nullable Void> built = new CompletableFuture<>();

    @GuardedBy("this")
    private final List<Batch> batches = new ArrayList<>();

    private final RetainedBytes keptBytes = new RetainedBytes();

    @GuardedBy("this")
    private int unfinished;

    @GuardedBy("this")
    private long rows;

    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private @Nullable SpillPartitions spilled;

    @GuardedBy("this")
    private List<SpillPartitions.Part> parts = List.of();

    @GuardedBy("this")
    private @Nullable JoinTable table;

    @GuardedBy("this")
    private int probing;

    @GuardedBy("this")
    private long filterBytes;

    @GuardedBy("this")
    private boolean inLastUse;

    @GuardedBy("this")
    private boolean closed;
    /** No driver may start to use the table, because its memory is revoked. */
    private volatile boolean revoked;

    /**
     * @param promises filters to complete when the build side is complete
     * @param drivers number of drivers that fill the build side
     */
    JoinBuild(JoinSpec spec, List<RuntimeFilterFuture> promises, int drivers, OperatorContext context) {
        this.spec = spec;
        this.promises = promises;
        this.context = context;
        this.memory = context.revocableAccount();
        this.unfinished = drivers;
    }

    /** Returns a future that is done when the table or the partitions are available. */
    CompletableFuture<?> built() {
        return built;
    }

    void add(Batch batch) {
        Batch kept = Compaction.of(matchable(batch), spec.rightTypes());
        synchronized (this) {
            if (closed || kept.rowCount() == 0) {
                return;
            }
            if (spilled != null) {
                spill(kept, spilled);
                return;
            }
            batches.add(kept);
            rows += kept.rowCount();
            bytes += keptBytes.of(kept);
            if (rows > MAX_ROWS || bytes > MAX_BYTES || !memory.trySet(estimatedBytes(rows, bytes))) {
                startSpilling();
            }
        }
    }

    /**
     * Returns the bytes of the rows, of the directory and of temporary memory. The temporary memory is the larger of a
     * copy of the rows, while they are concatenated, and the memory to build the directory.
     */
    static long estimatedBytes(long rows, long bytes) {
        return bytes + Math.max(bytes, JoinIndex.temporaryBytes(rows)) + JoinTable.directoryBytes(rows);
    }

    /** Returns the batch without the rows that can neither match nor be returned unmatched. */
    private Batch matchable(Batch batch) {
        if (spec.keepsRight()) {
            return batch;
        }
        int[] positions = new int[batch.rowCount()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = i;
        }
        int count = positions.length;
        for (int key = 0; key < spec.rightKeys().size(); key++) {
            if (!spec.nullSafe().get(key)) {
                Vector column = batch.column(spec.rightKeys().get(key));
                count = RowEquality.retainNotNull(column, positions, count);
            }
        }
        return count == batch.rowCount() ? batch : batch.select(positions, count);
    }

    @GuardedBy("this")
    private void startSpilling() {
        SpillPartitions partitions = new SpillPartitions(context.spill(), "join-build", 0);
        spilled = partitions;
        for (Batch batch : batches) {
            spill(batch, partitions);
        }
        batches.clear();
        memory.trySet(0);
    }

    private void spill(Batch batch, SpillPartitions partitions) {
        SpilledJoin.add(partitions, spec.toSpillFormat(batch, null, 0), spec.rightKeys(batch));
    }

    /** Spills revoked rows as soon as no driver uses them. */
    synchronized void revokeMemory() {
        if (closed || !memory.isRevocationRequested()) {
            return;
        }
        if (table != null && !inLastUse) {
            revoked = true;
            spillIfRevoked();
        } else if (spilled == null && !batches.isEmpty()) {
            startSpilling();
        }
    }

    /** Declines a pending revocation request, if there is one, until drivers have left the table. */
    synchronized void declineRevocation() {
        memory.declineRevocation();
    }

    synchronized boolean isRevocationRequested() {
        return memory.isRevocationRequested();
    }

    /** Whether drivers must leave the table. */
    boolean revoked() {
        return revoked;
    }

    /** Returns the table to a driver that starts to probe, or null if the rows are or will be in partitions. */
    synchronized @Nullable JoinTable enter() {
        if (revoked || table == null) {
            return null;
        }
        probing++;
        return table;
    }

    /** Reports that a driver that had entered does not use the table any more. */
    synchronized void leave() {
        probing--;
        spillIfRevoked();
    }

    @GuardedBy("this")
    private void spillIfRevoked() {
        JoinTable full = table;
        if (!revoked || probing > 0 || full == null) {
            return;
        }
        table = null;
        if (!context.cancelled().getAsBoolean()) {
            SpillPartitions partitions = new SpillPartitions(context.spill(), "join-build", 0);
            spilled = partitions;
            int batchRows = BatchRows.of(spec.spilledTypes());
            for (int from = 0; from < full.rowCount(); from += batchRows) {
                Batch some = full.toSpillFormat(from, Math.min(batchRows, full.rowCount() - from), spec);
                SpilledJoin.add(partitions, some, spec.rightKeys(some));
            }
            parts = partitions.finish();
        }
        memory.trySet(filterBytes);
    }

    /** Reports that a driver has no more rows. The last driver builds the table. */
    void finish() {
        List<Optional<KeyFilter>> filters = Collections.nCopies(promises.size(), Optional.empty());
        synchronized (this) {
            if (--unfinished > 0 || closed) {
                return;
            }
            if (spilled != null) {
                parts = spilled.finish();
            } else {
                Batch all = Concatenation.of(batches, spec.rightTypes());
                batches.clear();
                table = new JoinTable(all, spec);
                filters = filters(table);
            }
        }
        for (int i = 0; i < filters.size(); i++) {
            promises.get(i).filter().complete(filters.get(i));
        }
        built.complete(null);
    }

    /** Returns the filters for which scans wait. A filter is empty if there is no memory for it. */
    @GuardedBy("this")
    private List<Optional<KeyFilter>> filters(JoinTable full) {
        long tableBytes = full.rows().retainedBytes() + JoinTable.directoryBytes(rows);
        long held = tableBytes;
        memory.trySet(held);
        List<Optional<KeyFilter>> filters = new ArrayList<>();
        for (RuntimeFilterFuture promise : promises) {
            if (memory.trySet(held + KeyFilterBuilder.maxBytes(rows))) {
                SqlType type = spec.rightTypes().get(spec.rightKeys().get(promise.key()));
                KeyFilter filter = KeyFilterBuilder.of(full.key(promise.key()), full.rowCount(), type);
                held += filter.retainedBytes();
                filters.add(Optional.of(filter));
            } else {
                filters.add(Optional.empty());
            }
        }
        memory.trySet(held);
        filterBytes = held - tableBytes;
        return filters;
    }

    /** Whether the rows are or will be in partitions, so that probe rows must be spilled too. */
    synchronized boolean onDisk() {
        return revoked || table == null;
    }

    /**
     * Called when all rows have been probed. Releases the table unless it is kept for the rows without a match.
     *
     * @return whether there was a table, so that no partitions need to be joined
     */
    synchronized boolean endProbing(boolean keep) {
        boolean inMemory = table != null;
        inLastUse = inMemory;
        if (!inMemory || !keep) {
            release();
        }
        return inMemory;
    }

    /** Releases the table, which no driver uses any more. */
    synchronized void release() {
        table = null;
        memory.trySet(0);
    }

    /** Returns the build rows of each partition of level 0, and passes their ownership to the caller. */
    synchronized List<SpillPartitions.Part> takeParts() {
        List<SpillPartitions.Part> taken = parts;
        parts = List.of();
        return taken;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        batches.clear();
        table = null;
        try (memory) {
            Closeables.closeAll(parts);
            if (spilled != null) {
                Closeables.closeAll(spilled.finish());
            }
        }
    }
}
