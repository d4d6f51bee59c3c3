package io.skep.engine.filter;

import io.skep.common.vector.Vector;
import java.util.Optional;

/**
 * A runtime filter at work in one scan. One that lets most rows through rests: for some batches, then for twice as many
 * after each further try that shows the same. Owned by the scan's thread.
 */
public final class ScanFilter {
    /** A try: batches after which a filter is judged. */
    static final int TRIED = 8;

    private static final int LONGEST_REST = 1 << 12;

    private final FilterPromise promise;
    private final int column;
    private int triedBatches;
    private long triedRows;
    private long droppedRows;
    private int restLeft;
    private int nextRest = TRIED;
    private double keptShare = 1;

    /** @param column of the scan's output */
    public ScanFilter(FilterPromise promise, int column) {
        this.promise = promise;
        this.column = column;
    }

    public FilterPromise promise() {
        return promise;
    }

    public int column() {
        return column;
    }

    /** The filter, once it has come, if the join could make one. */
    public Optional<KeyFilter> filter() {
        return promise.filter().join();
    }

    /** The share of rows that it let through when it was last judged. */
    public double keptShare() {
        return keptShare;
    }

    /** Whether the next batch is to be filtered. Asked once a batch. */
    public boolean awake() {
        if (filter().isEmpty()) {
            return false;
        }
        if (restLeft > 0) {
            restLeft--;
            return false;
        }
        return true;
    }

    /** Keeps the rows that may find a match, out of {@code rows[0..count)}; gives their number. */
    public int retain(Vector values, int[] rows, int count) {
        KeyFilter filter = filter().orElse(null);
        if (filter == null) {
            return count;
        }
        int kept = filter.retain(values, rows, count);
        triedBatches++;
        triedRows += count;
        droppedRows += count - kept;
        if (triedBatches == TRIED) {
            judge();
        }
        return kept;
    }

    /** It has to drop a third to be worth its while. */
    private void judge() {
        keptShare = 1 - (double) droppedRows / Math.max(1, triedRows);
        if (droppedRows * 3 < triedRows) {
            restLeft = nextRest;
            nextRest = Math.min(2 * nextRest, LONGEST_REST);
        } else {
            nextRest = TRIED;
        }
        triedBatches = 0;
        triedRows = 0;
        droppedRows = 0;
    }
}
