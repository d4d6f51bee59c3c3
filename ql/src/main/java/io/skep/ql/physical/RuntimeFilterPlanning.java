package io.skep.ql.physical;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.RuntimeFilter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Determines which scans are filtered by which joins of their fragment. A join that drops left rows without a match
 * sends the values of its keys to the scans that supply these keys unchanged. This requires that removing a row in the
 * scan only removes rows at the join. Owned by the planning of one query.
 */
final class RuntimeFilterPlanning {
    private static final Set<SqlType> INTEGERS =
            Set.of(PrimitiveType.TINYINT, PrimitiveType.SMALLINT, PrimitiveType.INT, PrimitiveType.BIGINT);

    /** A filter on its way down, applied to a column of the node's output. */
    private record Wanted(int id, int column) {}

    private final BitSet taken = new BitSet();
    private final boolean onRows;
    private final boolean onPartitions;
    private int nextId;

    private RuntimeFilterPlanning(boolean onRows, boolean onPartitions) {
        this.onRows = onRows;
        this.onPartitions = onPartitions;
    }

    /**
     * @param onRows whether filters apply to columns of files
     * @param onPartitions whether filters apply to partition columns
     */
    static List<Fragment> assign(List<Fragment> fragments, boolean onRows, boolean onPartitions) {
        if (fragments.stream().noneMatch(fragment -> hasJoin(fragment.root()))) {
            return fragments;
        }
        return fragments.stream()
                .map(fragment -> new Fragment(
                        fragment.id(),
                        new RuntimeFilterPlanning(onRows, onPartitions).visit(fragment.root(), List.of()),
                        fragment.distribution(),
                        fragment.output()))
                .toList();
    }

    private static boolean hasJoin(PlanNode node) {
        return node.anyMatch(PlanNode.Join.class::isInstance);
    }

    private PlanNode visit(PlanNode node, List<Wanted> wanted) {
        if (node instanceof PlanNode.Scan scan) {
            return scan(scan, wanted);
        }
        if (node instanceof PlanNode.Join join) {
            return join(join, wanted);
        }
        List<PlanNode> inputs = new ArrayList<>();
        for (int input = 0; input < node.inputs().size(); input++) {
            inputs.add(visit(node.inputs().get(input), below(node, input, wanted)));
        }
        return node.withInputs(inputs);
    }

    /** Returns the filters that can move to an input, where removing a row only removes rows of the node. */
    private static List<Wanted> below(PlanNode node, int input, List<Wanted> wanted) {
        List<Wanted> below = new ArrayList<>();
        for (Wanted filter : wanted) {
            PassedColumns.reducible(node, input, filter.column())
                    .ifPresent(column -> below.add(new Wanted(filter.id(), column)));
        }
        return below;
    }

    private PlanNode scan(PlanNode.Scan node, List<Wanted> wanted) {
        List<RuntimeFilter> filters = new ArrayList<>();
        for (Wanted filter : wanted) {
            if (DynamicPartitionPruning.isPartitionColumn(node, filter.column()) ? onPartitions : onRows) {
                taken.set(filter.id());
                filters.add(new RuntimeFilter(filter.id(), filter.column()));
            }
        }
        return new PlanNode.Scan(node.id(), node.request(), node.filter(), filters);
    }

    private PlanNode join(PlanNode.Join node, List<Wanted> wanted) {
        List<Wanted> left = below(node, 0, wanted);
        List<Wanted> right = below(node, 1, wanted);
        List<RuntimeFilter> own = own(node);
        own.forEach(filter -> left.add(new Wanted(filter.id(), node.leftKeys().get(filter.column()))));
        PlanNode probe = visit(node.left(), left);
        List<RuntimeFilter> given =
                own.stream().filter(filter -> taken.get(filter.id())).toList();
        return new PlanNode.Join(
                node.kind(),
                probe,
                visit(node.right(), right),
                node.leftKeys(),
                node.rightKeys(),
                node.nullSafe(),
                node.residual(),
                given);
    }

    /** Returns the filters that the join could supply. */
    private List<RuntimeFilter> own(PlanNode.Join node) {
        return filterKeys(node).stream()
                .map(key -> new RuntimeFilter(nextId++, key))
                .toList();
    }

    /** Returns the positions of the keys whose values on the right side determine which left rows are dropped. */
    static List<Integer> filterKeys(PlanNode.Join node) {
        JoinKind kind = node.kind();
        if (kind != JoinKind.INNER && kind != JoinKind.SEMI && kind != JoinKind.RIGHT) {
            return List.of();
        }
        List<Integer> keys = new ArrayList<>();
        for (int key = 0; key < node.leftKeys().size(); key++) {
            SqlType left = node.left().outputTypes().get(node.leftKeys().get(key));
            SqlType right = node.right().outputTypes().get(node.rightKeys().get(key));
            if (!node.nullSafe().get(key) && comparable(left, right)) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** Whether equal values of the types have the same representation, in vectors and in the statistics of files. */
    private static boolean comparable(SqlType left, SqlType right) {
        return switch (left) {
            case PrimitiveType type -> type != PrimitiveType.VOID && (type.equals(right) || alike(left, right));
            case VarcharType _ -> left.equals(right) || alike(left, right);
            case DecimalType decimal ->
                right instanceof DecimalType other
                        && decimal.scale() == other.scale()
                        && decimal.isShort() == other.isShort();
            default -> left.equals(right) && left instanceof CharType;
        };
    }

    private static boolean alike(SqlType left, SqlType right) {
        return INTEGERS.contains(left) && INTEGERS.contains(right) || text(left) && text(right);
    }

    private static boolean text(SqlType type) {
        return type == PrimitiveType.STRING || type instanceof VarcharType;
    }
}
