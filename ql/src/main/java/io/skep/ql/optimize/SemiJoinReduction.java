package io.skep.ql.optimize;

import io.skep.ql.rel.PolicyBarrier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.tools.RelBuilder;

/**
 * Removes rows whose keys the other side of a join does not have from aggregations, and from the right sides of semi
 * and anti joins. It adds a semi join with a part of the other side, planned a second time, that is cheap and has few
 * of the keys. This is the magic set of a correlated subquery (Bancilhon, Maier, Sagiv, Ullman, 1986), applied where
 * estimates predict a benefit.
 */
final class SemiJoinReduction {
    /**
     * The cost of reading a row, relative to inserting it into a hash table. The next constant is the relative cost of
     * a look-up.
     */
    private static final double READ = 0.1;

    private static final double LOOK_UP = 0.2;

    /** The safety factor: the reduction only becomes a loss if the estimates are wrong by more than this. */
    private static final double CAUTION = 1.5;

    private static final double MIN_GAIN = 50_000;

    private final RelMetadataQuery metadata;
    private final Estimates estimates;
    private final RelBuilder builder;

    SemiJoinReduction(RelMetadataQuery metadata, Estimates estimates, RelBuilder builder) {
        this.metadata = metadata;
        this.estimates = estimates;
        this.builder = builder;
    }

    /** A column of an expression. */
    private record Column(RelNode rel, int index) {}

    /** The rows to reduce, and the keys to reduce them by. */
    private record Reduction(Column target, Column keys, double gain) {}

    RelNode reduce(RelNode root) {
        List<RelNode> inputs = root.getInputs().stream().map(this::reduce).toList();
        RelNode rel = inputs.equals(root.getInputs()) ? root : root.copy(root.getTraitSet(), inputs);
        return rel instanceof Join join ? reduced(join) : rel;
    }

    private RelNode reduced(Join join) {
        JoinRelType type = join.getJoinType();
        boolean one = type == JoinRelType.SEMI || type == JoinRelType.ANTI;
        boolean leftMayGo = type == JoinRelType.INNER || type == JoinRelType.RIGHT || type == JoinRelType.SEMI;
        boolean rightMayGo = type == JoinRelType.INNER || type == JoinRelType.LEFT || one;
        RelNode left = join.getLeft();
        RelNode right = join.getRight();
        List<Reduction> ofLeft = new ArrayList<>();
        List<Reduction> ofRight = new ArrayList<>();
        for (Estimates.KeyPair key : keys(join)) {
            Column leftKey = new Column(left, key.left());
            Column rightKey = new Column(right, key.right());
            if (leftMayGo) {
                belowAggregate(leftKey)
                        .flatMap(target -> best(target, rightKey))
                        .ifPresent(ofLeft::add);
            }
            if (rightMayGo) {
                belowAggregate(rightKey)
                        .or(() -> one ? Optional.of(rightKey) : Optional.empty())
                        .flatMap(target -> best(target, leftKey))
                        .ifPresent(ofRight::add);
            }
        }
        RelNode newLeft = applied(left, ofLeft);
        RelNode newRight = applied(right, ofRight);
        return newLeft.equals(left) && newRight.equals(right)
                ? join
                : join.copy(join.getTraitSet(), List.of(newLeft, newRight));
    }

    private static List<Estimates.KeyPair> keys(Join join) {
        int leftColumns = join.getLeft().getRowType().getFieldCount();
        return RelOptUtil.conjunctions(join.getCondition()).stream()
                .flatMap(conjunct -> Estimates.KeyPair.of(conjunct, Set.of(SqlKind.EQUALS), leftColumns).stream())
                .toList();
    }

    /**
     * Returns the input of the lowest aggregate that groups by the column, if only projections, conditions and other
     * such aggregates are above it.
     */
    private static Optional<Column> belowAggregate(Column column) {
        return switch (column.rel()) {
            case Project project -> through(project, column.index()).flatMap(SemiJoinReduction::belowAggregate);
            case Filter filter -> belowAggregate(new Column(filter.getInput(), column.index()));
            case Aggregate aggregate -> {
                if (aggregate.getGroupType() != Aggregate.Group.SIMPLE || column.index() >= aggregate.getGroupCount()) {
                    yield Optional.empty();
                }
                Column input =
                        new Column(aggregate.getInput(), aggregate.getGroupSet().nth(column.index()));
                yield belowAggregate(input).or(() -> Optional.of(input));
            }
            default -> Optional.empty();
        };
    }

    private static Optional<Column> through(Project project, int index) {
        return project.getProjects().get(index) instanceof RexInputRef ref
                ? Optional.of(new Column(project.getInput(), ref.getIndex()))
                : Optional.empty();
    }

    /** Returns the part of the other side that gives the largest gain as a filter of the target. */
    private Optional<Reduction> best(Column target, Column otherKey) {
        Optional<Double> distinct =
                estimates.origin(target.rel(), target.index(), metadata).flatMap(Estimates.Origin::distinctValues);
        if (distinct.isEmpty()) {
            return Optional.empty();
        }
        double rows = Estimates.rows(target.rel(), metadata);
        List<Column> sources = new ArrayList<>();
        collect(otherKey, sources);
        return sources.stream()
                .filter(source -> isRepeatable(source.rel()))
                .map(source -> new Reduction(target, source, gain(source, rows, distinct.get())))
                .filter(reduction -> reduction.gain() >= MIN_GAIN)
                .max(Comparator.comparingDouble(Reduction::gain));
    }

    private double gain(Column source, double targetRows, double targetDistinct) {
        double keys = Estimates.rows(source.rel(), metadata);
        double kept = Math.min(1, keys / targetDistinct);
        return (1 - kept - LOOK_UP) * targetRows - CAUTION * (work(source.rel()) + keys);
    }

    private double work(RelNode rel) {
        double work = rel instanceof TableScan ? READ * Estimates.rows(rel, metadata) : 0;
        for (RelNode input : rel.getInputs()) {
            boolean hashed = rel instanceof Join || rel instanceof Aggregate;
            work += work(input) + (hashed ? Estimates.rows(input, metadata) : 0);
        }
        return work;
    }

    /** Collects the relations that contain every value of the column that can reach it. */
    private static void collect(Column column, List<Column> sources) {
        sources.add(column);
        int index = column.index();
        switch (column.rel()) {
            case Project project -> through(project, index).ifPresent(input -> collect(input, sources));
            case Filter filter -> collect(new Column(filter.getInput(), index), sources);
            case Aggregate aggregate -> {
                if (aggregate.getGroupType() == Aggregate.Group.SIMPLE && index < aggregate.getGroupCount()) {
                    int input = aggregate.getGroupSet().nth(index);
                    collect(new Column(aggregate.getInput(), input), sources);
                }
            }
            case Join join -> collect(join, index, sources);
            default -> {}
        }
    }

    private static void collect(Join join, int index, List<Column> sources) {
        JoinRelType type = join.getJoinType();
        int leftColumns = join.getLeft().getRowType().getFieldCount();
        boolean onLeft = index < leftColumns;
        if (onLeft ? type.generatesNullsOnLeft() : type.generatesNullsOnRight()) {
            return;
        }
        Column own = onLeft ? new Column(join.getLeft(), index) : new Column(join.getRight(), index - leftColumns);
        collect(own, sources);
        if (type != JoinRelType.INNER && type != JoinRelType.SEMI) {
            return;
        }
        for (Estimates.KeyPair key : keys(join)) {
            if (own.equals(new Column(join.getLeft(), key.left()))) {
                collect(new Column(join.getRight(), key.right()), sources);
            } else if (own.equals(new Column(join.getRight(), key.right()))) {
                collect(new Column(join.getLeft(), key.left()), sources);
            }
        }
    }

    /**
     * Whether a relation returns the same rows when it runs twice. Sums of doubles, for example, depend on the order of
     * rows.
     */
    private static boolean isRepeatable(RelNode rel) {
        boolean itself = switch (rel) {
            case TableScan _, PolicyBarrier _ -> true;
            case Filter filter -> RexUtil.isDeterministic(filter.getCondition());
            case Project project -> project.getProjects().stream().allMatch(RexUtil::isDeterministic);
            case Join join -> RexUtil.isDeterministic(join.getCondition());
            case Aggregate aggregate -> aggregate.getAggCallList().isEmpty();
            default -> false;
        };
        return itself && rel.getInputs().stream().allMatch(SemiJoinReduction::isRepeatable);
    }

    private RelNode applied(RelNode side, List<Reduction> reductions) {
        return reductions.stream()
                .max(Comparator.comparingDouble(Reduction::gain))
                .map(best -> replaced(side, best))
                .orElse(side);
    }

    /**
     * Rebuilds the side with a semi join in place of the target. Only operators with one input are above the target.
     */
    private RelNode replaced(RelNode rel, Reduction reduction) {
        if (rel.equals(reduction.target().rel())) {
            return semiJoined(reduction);
        }
        return rel.copy(rel.getTraitSet(), List.of(replaced(rel.getInput(0), reduction)));
    }

    private RelNode semiJoined(Reduction reduction) {
        builder.push(reduction.target().rel()).push(reduction.keys().rel());
        builder.project(builder.field(reduction.keys().index()));
        RexNode condition =
                builder.equals(builder.field(2, 0, reduction.target().index()), builder.field(2, 1, 0));
        return builder.semiJoin(condition).build();
    }
}
