package io.skep.engine.operator;

import io.skep.storage.scan.ScanFigures;
import java.util.concurrent.atomic.AtomicReference;

/** What a task's scans have done, over all drivers. Thread-safe. */
public final class ScanTotals {
    private final AtomicReference<ScanFigures> total = new AtomicReference<>(ScanFigures.NONE);

    void add(ScanFigures figures) {
        total.accumulateAndGet(figures, ScanFigures::plus);
    }

    public ScanFigures total() {
        return total.get();
    }
}
