package io.skep.ql.physical;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanInputs;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.RuntimeFilter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Says which scans are filtered by which joins of their fragment. A join that drops left rows without a match gives the values
 * of its keys to the scans from which these keys come unchanged, where a row less in the scan is only ever a row less at the
 * join. Owned by the planning of one query.
 */
final class RuntimeFilterPlanning {
    private static final Set<SqlType> INTEGERS =
            Set.of(PrimitiveType.TINYINT, PrimitiveType.SMALLINT, PrimitiveType.INT, PrimitiveType.BIGINT);

    /** A filter on its way down: to a column of the node's output. */
    private record Wanted(int id, int column) {}

    private final BitSet taken = new BitSet();
    private int nextId;

    static List<Fragment> assign(List<Fragment> fragments) {
        if (fragments.stream().noneMatch(fragment -> hasJoin(fragment.root()))) {
            return fragments;
        }
        return fragments.stream()
                .map(fragment -> new Fragment(
                        fragment.id(),
                        new RuntimeFilterPlanning().visit(fragment.root(), List.of()),
                        fragment.distribution(),
                        fragment.output()))
                .toList();
    }

    private static boolean hasJoin(PlanNode node) {
        return node instanceof PlanNode.Join || node.inputs().stream().anyMatch(RuntimeFilterPlanning::hasJoin);
    }

    private PlanNode visit(PlanNode node, List<Wanted> wanted) {
        return switch (node) {
            case PlanNode.Scan n -> scan(n, wanted);
            case PlanNode.Join n -> join(n, wanted);
            default -> {
                List<Wanted> below = below(node, wanted);
                yield PlanInputs.replaced(
                        node,
                        node.inputs().stream().map(input -> visit(input, below)).toList());
            }
        };
    }

    /** What is wanted of the inputs, where a row less of them is only ever a row less of the node. */
    private static List<Wanted> below(PlanNode node, List<Wanted> wanted) {
        return switch (node) {
            case PlanNode.Filter _ -> wanted;
            case PlanNode.Sort _ -> wanted;
            case PlanNode.UnionAll _ -> wanted;
            case PlanNode.Project n -> projected(n, wanted);
            case PlanNode.Aggregate n -> grouped(n, wanted);
            case PlanNode.Window n -> inPartition(n, wanted);
            case PlanNode.TableFunction n -> before(n.input().outputTypes().size(), wanted);
            default -> List.of();
        };
    }

    private PlanNode scan(PlanNode.Scan node, List<Wanted> wanted) {
        List<RuntimeFilter> filters = new ArrayList<>();
        for (Wanted filter : wanted) {
            taken.set(filter.id());
            filters.add(new RuntimeFilter(filter.id(), filter.column()));
        }
        return new PlanNode.Scan(node.id(), node.request(), node.filter(), filters);
    }

    private static List<Wanted> projected(PlanNode.Project node, List<Wanted> wanted) {
        List<Wanted> below = new ArrayList<>();
        for (Wanted filter : wanted) {
            if (node.expressions().get(filter.column()) instanceof Expression.InputColumn column) {
                below.add(new Wanted(filter.id(), column.index()));
            }
        }
        return below;
    }

    /** A group goes as a whole, or not at all. */
    private static List<Wanted> grouped(PlanNode.Aggregate node, List<Wanted> wanted) {
        return wanted.stream()
                .filter(filter -> filter.column() < node.groupColumns().size())
                .map(filter -> new Wanted(filter.id(), node.groupColumns().get(filter.column())))
                .toList();
    }

    private static List<Wanted> inPartition(PlanNode.Window node, List<Wanted> wanted) {
        return wanted.stream()
                .filter(filter -> node.partitionColumns().contains(filter.column()))
                .toList();
    }

    private static List<Wanted> before(int columns, List<Wanted> wanted) {
        return wanted.stream().filter(filter -> filter.column() < columns).toList();
    }

    private PlanNode join(PlanNode.Join node, List<Wanted> wanted) {
        int leftColumns = node.left().outputTypes().size();
        JoinKind kind = node.kind();
        List<Wanted> left = new ArrayList<>();
        List<Wanted> right = new ArrayList<>();
        if (kind != JoinKind.RIGHT && kind != JoinKind.FULL) {
            left.addAll(before(leftColumns, wanted));
        }
        if (kind == JoinKind.INNER || kind == JoinKind.RIGHT) {
            wanted.stream()
                    .filter(filter -> filter.column() >= leftColumns)
                    .map(filter -> new Wanted(filter.id(), filter.column() - leftColumns))
                    .forEach(right::add);
        }
        List<RuntimeFilter> own = own(node);
        own.forEach(filter -> left.add(new Wanted(filter.id(), node.leftKeys().get(filter.column()))));
        PlanNode probe = visit(node.left(), left);
        List<RuntimeFilter> given =
                own.stream().filter(filter -> taken.get(filter.id())).toList();
        return new PlanNode.Join(
                kind,
                probe,
                visit(node.right(), right),
                node.leftKeys(),
                node.rightKeys(),
                node.nullSafe(),
                node.residual(),
                given);
    }

    /** What the join could give. */
    private List<RuntimeFilter> own(PlanNode.Join node) {
        JoinKind kind = node.kind();
        if (kind != JoinKind.INNER && kind != JoinKind.SEMI && kind != JoinKind.RIGHT) {
            return List.of();
        }
        List<RuntimeFilter> filters = new ArrayList<>();
        for (int key = 0; key < node.leftKeys().size(); key++) {
            SqlType left = node.left().outputTypes().get(node.leftKeys().get(key));
            SqlType right = node.right().outputTypes().get(node.rightKeys().get(key));
            if (!node.nullSafe().get(key) && comparable(left, right)) {
                filters.add(new RuntimeFilter(nextId++, key));
            }
        }
        return filters;
    }

    /** Whether equal values of the types have the same form, in vectors and in the statistics of files. */
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
