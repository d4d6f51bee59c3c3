package io.skep.engine.operator;

import io.skep.common.query.OperatorStats;
import io.skep.storage.scan.ScanStats;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a task has done so far for one node of its plan. A node may have several operators, such as the sink and the
 * source of an exchange within the task, and each of them runs in several drivers. Thread-safe.
 */
public final class OperatorStatsCollector {
    private final AtomicBoolean ran = new AtomicBoolean();
    private final LongAdder rows = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder memoryBytes = new LongAdder();
    private final LongAdder spilledBytes = new LongAdder();
    private final AtomicReference<ScanStats> scan = new AtomicReference<>(ScanStats.NONE);

    /** Records that the node has an operator of its own. */
    public void run() {
        ran.set(true);
    }

    /** @param outputRows rows that left the node, not those between its operators */
    public void add(long executorNanos, long outputRows) {
        nanos.add(executorNanos);
        rows.add(outputRows);
    }

    /** Adds the statistics of a split that a scan has read. */
    public void add(ScanStats stats) {
        scan.accumulateAndGet(stats, ScanStats::plus);
    }

    /** Adds bytes by which an operator's memory exceeds what it held before. */
    void addMemory(long bytes) {
        memoryBytes.add(bytes);
    }

    void addSpilled(long bytes) {
        spilledBytes.add(bytes);
    }

    public ScanStats scanned() {
        return scan.get();
    }

    public OperatorStats stats() {
        ScanStats read = scan.get();
        return new OperatorStats(
                ran.get() ? 1 : 0,
                rows.sum(),
                nanos.sum(),
                memoryBytes.sum(),
                spilledBytes.sum(),
                read.rows(),
                read.rowGroupsSkipped(),
                read.bytesRead(),
                read.cacheHitBytes());
    }
}
