package io.skep.engine.filter;

import io.skep.common.vector.Vector;
import java.util.Optional;

/**
 * A runtime filter in use by one scan. A filter that passes most rows pauses for some batches, and for twice as many
 * after each further trial with the same outcome. Owned by the scan's thread.
 */
public final class ScanFilter {
    /** The length of a trial: the number of batches after which a filter is judged. */
    static final int TRIED = 8;

    private static final int LONGEST_REST = 1 << 12;

    private final RuntimeFilterFuture promise;
    private final int column;
    private int triedBatches;
    private long triedRows;
    private long droppedRows;
    private int restLeft;
    private int nextRest = TRIED;
    private double keptShare = 1;

    /** @param column the column of the scan's output */
    public ScanFilter(RuntimeFilterFuture promise, int column) {
        this.promise = promise;
        this.column = column;
    }

    public RuntimeFilterFuture promise() {
        return promise;
    }

    public int column() {
        return column;
    }

    /** Returns the filter once it has arrived, if the join could make one. */
    public Optional<KeyFilter> filter() {
        return promise.filter().join();
    }

    /** Returns the fraction of rows that the filter passed when it was last judged, from 0 to 1. */
    public double keptShare() {
        return keptShare;
    }

    /** Whether the next batch must be filtered. Called once per batch. */
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

    /** Keeps the rows out of {@code rows[0..count)} that may find a match. Returns their number. */
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

    /** Pauses the filter if it dropped less than a third of the rows, because then it does not pay off. */
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
