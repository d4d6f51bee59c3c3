package io.skep.service.direct;

import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.llap.client.TaskStats;
import io.skep.storage.scan.ColumnPredicate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which part of the row groups of its splits a scan may be expected to read: what scans of the table with conditions on
 * the same columns have read lately. A report on one account reads one row group of a file; expected to read all of it,
 * a few of them would seem to keep their daemons busy, and ranges would be read away from their homes for nothing.
 * Thread-safe.
 */
final class ScanSelectivity {
    private static final double WEIGHT_OF_ONE = 0.1;
    private static final int MOST = 4096;

    /**
     * What scans must have in common.
     *
     * @param conditions ordinals of the columns
     * @param filters positions of the columns that a join's values filter
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

    /** Guarded by itself. */
    private final Map<Shape, Double> shares = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Shape, Double> eldest) {
            return size() > MOST;
        }
    };

    /** Of the row groups, from 0 to 1; all, as long as nothing is known. */
    double of(PlanNode.Scan scan) {
        Shape shape = Shape.of(scan);
        if (shape.readsAll()) {
            return 1;
        }
        synchronized (shares) {
            return shares.getOrDefault(shape, 1.0);
        }
    }

    /** A task that had no other scan than this one has ended. */
    void took(PlanNode.Scan scan, TaskStats figures) {
        Shape shape = Shape.of(scan);
        long groups = figures.rowGroupsRead() + figures.rowGroupsSkipped();
        if (groups == 0 || shape.readsAll()) {
            return;
        }
        double share = (double) figures.rowGroupsRead() / groups;
        synchronized (shares) {
            shares.merge(shape, share, (before, now) -> before + WEIGHT_OF_ONE * (now - before));
        }
    }
}
