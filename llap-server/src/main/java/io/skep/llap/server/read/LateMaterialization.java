package io.skep.llap.server.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether the columns of a scan's predicates are read before the other columns. The others are then read only
 * for row groups where rows are left. That pays where most row groups have no matching row, for example when a search
 * uses a key by which the file is not sorted. It costs a second pass through the file where most row groups have some.
 * So the decision depends on recent results for the same columns of a table. Thread-safe.
 */
final class LateMaterialization {
    /** The fraction of row groups with matching rows below which the columns are read one after the other. */
    private static final double MAX_LEFT = 0.5;

    /** The weight of a new row group in the moving average. */
    private static final double STEP = 0.2;

    private static final int MAX_KEYS = 10_000;

    private record Key(String table, List<Integer> columns) {}

    private static final class Share {
        @GuardedBy("this")
        private double left = 1;

        synchronized double left() {
            return left;
        }

        synchronized void add(boolean rowsLeft) {
            left += ((rowsLeft ? 1 : 0) - left) * STEP;
        }
    }

    private final Map<Key, Share> shares = new ConcurrentHashMap<>();

    boolean pays(String table, RowGroupFilter test) {
        return share(table, test).left() < MAX_LEFT;
    }

    void found(String table, RowGroupFilter test, boolean rowsLeft) {
        share(table, test).add(rowsLeft);
    }

    private Share share(String table, RowGroupFilter test) {
        if (shares.size() > MAX_KEYS) {
            shares.clear();
        }
        return shares.computeIfAbsent(new Key(table, test.columns()), ignored -> new Share());
    }
}
