package io.skep.ql.optimize;

import io.skep.ql.optimize.AggregationPlace.Level;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;

/**
 * Estimates the benefit of grouping rows before joins. It weighs the rows that need no look-up and grouping above
 * against the rows that are grouped below. The unit is the cost of looking up a row in a table that fits into a core's
 * cache.
 */
final class EagerAggregationCost {
    /** The safety factor for wrong estimates: the benefit must exceed the cost multiplied by it. */
    private static final double CAUTION = 1.3;

    /**
     * The largest accepted number of groups per row. With fewer than four rows per group, the grouping is left to the
     * step above.
     */
    private static final double MAX_GROUPS_A_ROW = 0.25;

    private static final double FEWEST_ROWS = 1_000;

    /**
     * The number of entries from which a hash table exceeds the cache. The next constant is the cost of each further
     * doubling.
     */
    private static final double CACHED = 10_000;

    private static final double COST_OF_DOUBLING = 0.35;

    /**
     * The number of groups that one or two keys can find through an array. The next constants are the cost of that per
     * row, and the cost of a single group of all rows.
     */
    private static final double MAX_PLACES = 65_536;

    private static final double PLACED = 0.3;

    private static final double UNGROUPED = 0.1;

    /**
     * The cost per row of a group in a hash table, relative to a look-up. Its states are scattered in memory as well.
     */
    private static final double HASHED = 1.5;

    private static final double HASHED_KEY = 0.75;

    /**
     * A build side that is smaller by this factor filters the scan of the other side before the scan returns any rows.
     */
    private static final double FILTERING_SHARE = 0.25;

    private static final double BYTES_OF_A_COLUMN = 8;

    private final RelMetadataQuery metadata;
    private final Estimates estimates;

    EagerAggregationCost(RelMetadataQuery metadata, Estimates estimates) {
        this.metadata = metadata;
        this.estimates = estimates;
    }

    /**
     * Returns the benefit of the first step of an aggregation at a place. Negative if it does not pay off, or if a key
     * has no statistics.
     */
    double of(AggregationPlace place, Aggregate aggregate) {
        double all = rows(place.rel());
        OptionalDouble groups = groups(place, all);
        if (groups.isEmpty()) {
            return -1;
        }
        double kept = keptByFilters(place, groups.getAsDouble());
        double rows = all * kept;
        double share = Math.max(1, groups.getAsDouble() * kept) / rows;
        if (rows < FEWEST_ROWS || share > MAX_GROUPS_A_ROW) {
            return -1;
        }
        double cost = rows * grouping(share * rows, place.wanted().values().size());
        double above = lookUps(place, rows)
                + rows(aggregate.getInput()) * grouping(rows(aggregate), aggregate.getGroupCount());
        return (1 - share) * above - CAUTION * cost;
    }

    private double rows(RelNode rel) {
        return Estimates.rows(rel, metadata);
    }

    /** Returns the number of groups in a place's rows. Empty if a key has no statistics. */
    private OptionalDouble groups(AggregationPlace place, double rows) {
        double combinations = 1;
        for (RexNode value : place.wanted().values()) {
            for (int column : RelOptUtil.InputFinder.bits(value)) {
                Optional<Double> distinct =
                        estimates.origin(place.rel(), column, metadata).flatMap(Estimates.Origin::distinctValues);
                if (distinct.isEmpty()) {
                    return OptionalDouble.empty();
                }
                combinations *= distinct.get();
            }
        }
        // The expected number of distinct combinations among that number of rows drawn at random (Cardenas, 1975).
        return OptionalDouble.of(-combinations * Math.expm1(-rows / combinations));
    }

    /**
     * Returns the share of a place's rows that remain after the joins directly above filter its scans. A join filters
     * its probe side. States that are smaller than the other side become the build side.
     */
    private double keptByFilters(AggregationPlace place, double groups) {
        double all = rows(place.rel());
        double states = groups
                * BYTES_OF_A_COLUMN
                * (place.wanted().values().size() + place.wanted().arguments().size());
        double kept = all;
        for (int i = place.above().size() - 1; i >= 0; i--) {
            Level level = place.above().get(i);
            double left = rows(level.rel());
            if (!(level.rel() instanceof Join join)
                    || !filters(join, level)
                    || rows(other(join, level)) > FILTERING_SHARE * all
                    || bytes(other(join, level)) > states
                    || left >= kept) {
                break;
            }
            kept = left;
        }
        return kept / all;
    }

    private double bytes(RelNode rel) {
        Double row = metadata.getAverageRowSize(rel);
        return rows(rel) * (row == null ? BYTES_OF_A_COLUMN * rel.getRowType().getFieldCount() : row);
    }

    private static boolean filters(Join join, Level level) {
        return join.getJoinType() == JoinRelType.INNER || join.getJoinType() == JoinRelType.SEMI && level.onLeft();
    }

    private static RelNode other(Join join, Level level) {
        return level.onLeft() ? join.getRight() : join.getLeft();
    }

    private double lookUps(AggregationPlace place, double rows) {
        double sum = 0;
        double passing = rows;
        for (int i = place.above().size() - 1; i >= 0; i--) {
            RelNode rel = place.above().get(i).rel();
            if (rel instanceof Join join) {
                sum += passing * lookingUp(rows(other(join, place.above().get(i))));
            }
            passing = rows(rel);
        }
        return sum;
    }

    private static double lookingUp(double entries) {
        return 1 + COST_OF_DOUBLING * Math.max(0, Math.log(entries / CACHED) / Math.log(2));
    }

    private static double grouping(double groups, int keys) {
        if (keys == 0) {
            return UNGROUPED;
        }
        return keys <= 2 && groups <= MAX_PLACES ? PLACED : lookingUp(groups) * (HASHED + HASHED_KEY * keys);
    }
}
