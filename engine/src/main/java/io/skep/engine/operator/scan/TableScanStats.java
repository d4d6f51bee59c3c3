package io.skep.engine.operator.scan;

import io.skep.storage.scan.ScanStats;
import java.util.concurrent.atomic.AtomicReference;

/** The total statistics of a task's scans over all drivers. Thread-safe. */
public final class TableScanStats {
    private final AtomicReference<ScanStats> total = new AtomicReference<>(ScanStats.NONE);

    void add(ScanStats stats) {
        total.accumulateAndGet(stats, ScanStats::plus);
    }

    public ScanStats total() {
        return total.get();
    }
}
