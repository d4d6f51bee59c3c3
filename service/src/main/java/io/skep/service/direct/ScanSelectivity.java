package io.skep.service.direct;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.llap.client.TaskStats;
import io.skep.storage.scan.ColumnPredicate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Estimates the fraction of the row groups of its splits that a scan reads. The estimate comes from recent scans of the
 * table with conditions on the same columns. A report on one account reads one row group of a file. If it were expected
 * to read the whole file, a few such reports would appear to keep their daemons busy. Ranges would then be read away
 * from their homes without need. Thread-safe.
 */
final class ScanSelectivity {
    private static final double WEIGHT_OF_ONE = 0.1;
    private static final int MOST = 4096;

    /**
     * The properties that scans must share to share an estimate.
     *
     * @param conditions ordinals of the columns
     * @param filters positions of the columns with runtime filters of joins
     */
    private record Shape(String table, Set<Integer> conditions, Set<Integer> filters) {
        static Shape of(PlanNode.Scan scan) {
            return new Shape(
                    scan.request().table().name(),
                    scan.request().predicates().stream()
                            .map(ColumnPredicate::column)
                            .collect(Collectors.toUnmodifiableSet()),
                    scan.runtimeFilters().stream().map(RuntimeFilter::column).collect(Collectors.toUnmodifiableSet()));
        }

        boolean readsAll() {
            return conditions.isEmpty() && filters.isEmpty();
        }
    }

    @GuardedBy("shares")
    private final Map<Shape, Double> shares = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Shape, Double> eldest) {
            return size() > MOST;
        }
    };

    /** Returns the fraction of the row groups, from 0 to 1. It is 1 until statistics exist. */
    double of(PlanNode.Scan scan) {
        Shape shape = Shape.of(scan);
        if (shape.readsAll()) {
            return 1;
        }
        synchronized (shares) {
            return shares.getOrDefault(shape, 1.0);
        }
    }

    /** Records that a task has finished whose only scan is this one. */
    void recordFinishedTask(PlanNode.Scan scan, TaskStats stats) {
        Shape shape = Shape.of(scan);
        long groups = stats.rowGroupsRead() + stats.rowGroupsSkipped();
        if (groups == 0 || shape.readsAll()) {
            return;
        }
        double share = (double) stats.rowGroupsRead() / groups;
        synchronized (shares) {
            shares.merge(shape, share, (before, now) -> before + WEIGHT_OF_ONE * (now - before));
        }
    }
}
