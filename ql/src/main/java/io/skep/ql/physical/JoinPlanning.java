package io.skep.ql.physical;

import io.skep.common.type.SqlType;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.MappedColumns;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;

/**
 * Plans joins: determines the keys and the build side, and whether the build side is broadcast or both sides are
 * hash-partitioned.
 */
final class JoinPlanning {
    private final PlanningContext context;
    private final Fragmenter fragmenter;
    private final EstimatedRows.Collector estimates;
    private final Function<RelNode, Planned> inputs;

    JoinPlanning(
            PlanningContext context,
            Fragmenter fragmenter,
            EstimatedRows.Collector estimates,
            Function<RelNode, Planned> inputs) {
        this.context = context;
        this.fragmenter = fragmenter;
        this.estimates = estimates;
        this.inputs = inputs;
    }

    Planned plan(Join join) {
        Planned left = inputs.apply(join.getLeft());
        Planned right = inputs.apply(join.getRight());
        List<Expression> conjuncts = Expressions.conjuncts(context.rex().translate(join.getCondition()));
        JoinKeys keys = JoinKeys.of(conjuncts, left.types(), right.types());
        double leftBytes = left.rows() * context.rowBytes(join.getLeft());
        double rightBytes = right.rows() * context.rowBytes(join.getRight());
        double rows = context.rows(join);
        JoinKind kind = kind(join.getJoinType());
        if (swappable(kind) && leftBytes < rightBytes) {
            return swapped(kind, left, right, keys, leftBytes, rows);
        }
        return joined(kind, left, right, keys, rightBytes, rows);
    }

    private static JoinKind kind(JoinRelType type) {
        return switch (type) {
            case INNER -> JoinKind.INNER;
            case LEFT -> JoinKind.LEFT;
            case RIGHT -> JoinKind.RIGHT;
            case FULL -> JoinKind.FULL;
            case SEMI -> JoinKind.SEMI;
            case ANTI -> JoinKind.ANTI;
            default -> throw new IllegalStateException("a join of type " + type + " is rewritten before planning");
        };
    }

    private static boolean swappable(JoinKind kind) {
        return kind != JoinKind.SEMI && kind != JoinKind.ANTI;
    }

    /** Makes the left side the build side. A projection restores the order of the columns. */
    private Planned swapped(JoinKind kind, Planned left, Planned right, JoinKeys keys, double bytes, double rows) {
        JoinKind mirrored = switch (kind) {
            case LEFT -> JoinKind.RIGHT;
            case RIGHT -> JoinKind.LEFT;
            default -> kind;
        };
        int leftColumns = left.types().size();
        int rightColumns = right.types().size();
        Planned join = joined(mirrored, right, left, keys.mirrored(leftColumns, rightColumns), bytes, rows);
        List<Expression> columns = new ArrayList<>();
        List<SqlType> types = join.types();
        for (int i = 0; i < leftColumns; i++) {
            columns.add(new Expression.InputColumn(rightColumns + i, types.get(rightColumns + i)));
        }
        for (int i = 0; i < rightColumns; i++) {
            columns.add(new Expression.InputColumn(i, types.get(i)));
        }
        Layout layout = join.layout() instanceof Layout.Hashed hashed
                ? new Layout.Hashed(hashed.columns().stream()
                        .map(column -> column < rightColumns ? leftColumns + column : column - rightColumns)
                        .toList())
                : join.layout();
        return new Planned(new PlanNode.Project(join.node(), columns), layout, rows);
    }

    private Planned joined(JoinKind kind, Planned left, Planned right, JoinKeys keys, double buildBytes, double rows) {
        Planned probe = keys.withLeftKeys(left);
        Planned build = keys.withRightKeys(right);
        if (probe.isSingle() && build.isSingle()) {
            return join(kind, probe, build.node(), keys, probe.layout(), left, right, rows);
        }
        boolean keepsUnmatchedBuild = kind == JoinKind.RIGHT || kind == JoinKind.FULL;
        if (!keepsUnmatchedBuild
                && !probe.isSingle()
                && (keys.isEmpty() || buildBytes <= context.limits().broadcastBytes())) {
            return join(kind, probe, fragmenter.broadcast(build), keys, probe.layout(), left, right, rows);
        }
        if (keys.isEmpty() || probe.isSingle() && build.rows() <= probe.rows()) {
            Planned all = fragmenter.gather(probe, List.of());
            PlanNode other = fragmenter.gather(build, List.of()).node();
            return join(kind, all, other, keys, all.layout(), left, right, rows);
        }
        List<Integer> leftKeys = keys.leftColumns(left.types().size());
        List<Integer> rightKeys = keys.rightColumns(right.types().size());
        boolean placed = probe.layout() instanceof Layout.Hashed hashed
                && hashed.columns().equals(leftKeys);
        Planned hashedProbe = placed ? probe : fragmenter.hash(probe, leftKeys);
        PlanNode hashedBuild = fragmenter.hash(build, rightKeys).node();
        // Unmatched build rows have null probe columns. The layout of the keys is therefore unknown.
        Layout layout = keepsUnmatchedBuild ? new Layout.Hashed(List.of()) : hashedProbe.layout();
        return join(kind, hashedProbe, hashedBuild, keys, layout, left, right, rows);
    }

    /** Creates the join, and a projection that drops the key columns that were computed for it. */
    private Planned join(
            JoinKind kind,
            Planned probe,
            PlanNode build,
            JoinKeys keys,
            Layout layout,
            Planned left,
            Planned right,
            double rows) {
        int leftColumns = left.types().size();
        int rightColumns = right.types().size();
        int probeColumns = probe.types().size();
        Optional<Expression> residual = keys.residual()
                .map(condition -> MappedColumns.in(
                        condition,
                        column -> column.index() < leftColumns
                                ? column
                                : new Expression.InputColumn(
                                        column.index() - leftColumns + probeColumns, column.type())));
        PlanNode node = new PlanNode.Join(
                kind,
                probe.node(),
                build,
                keys.leftColumns(leftColumns),
                keys.rightColumns(rightColumns),
                keys.nullSafe(),
                residual);
        estimates.add(node, rows);
        boolean semi = kind == JoinKind.SEMI || kind == JoinKind.ANTI;
        boolean computed =
                probeColumns > leftColumns || !semi && build.outputTypes().size() > rightColumns;
        if (computed) {
            List<Expression> all = Expressions.identity(node.outputTypes());
            List<Expression> kept = new ArrayList<>(all.subList(0, leftColumns));
            if (!semi) {
                kept.addAll(all.subList(probeColumns, probeColumns + rightColumns));
            }
            node = new PlanNode.Project(node, kept);
        }
        boolean known = !(layout instanceof Layout.Hashed hashed)
                || hashed.columns().stream().allMatch(column -> column < leftColumns);
        return new Planned(node, known ? layout : new Layout.Hashed(List.of()), rows);
    }
}
