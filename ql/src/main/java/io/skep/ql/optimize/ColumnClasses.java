package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The columns of a graph of joins that have equal values in every row of its result: {@code a.x = b.y AND b.y = c.z} makes a
 * class of three, of which any two may be joined.
 *
 * @param classes of two columns or more each; they stand for the conditions that they come from
 * @param pairs columns that are compared for equality, but are no class: of other types, or with NULL equal to NULL
 * @param others the conditions that the classes do not stand for
 */
record ColumnClasses(List<ImmutableBitSet> classes, List<ImmutableBitSet> pairs, List<RexNode> others) {
    static ColumnClasses of(JoinGraph graph, RexBuilder rexBuilder) {
        Map<Integer, ImmutableBitSet> classOf = new LinkedHashMap<>();
        List<ImmutableBitSet> pairs = new ArrayList<>();
        List<RexNode> others = new ArrayList<>();
        for (RexNode condition : graph.conditions()) {
            if (!isColumnEquality(condition)) {
                others.add(condition);
                continue;
            }
            RexInputRef first =
                    (RexInputRef) ((RexCall) condition).getOperands().get(0);
            RexInputRef second =
                    (RexInputRef) ((RexCall) condition).getOperands().get(1);
            if (condition.getKind() == SqlKind.EQUALS && sameType(first, second, rexBuilder)) {
                unite(first.getIndex(), second.getIndex(), classOf);
            } else {
                others.add(condition);
                if (graph.factorOf(first.getIndex()) != graph.factorOf(second.getIndex())) {
                    pairs.add(ImmutableBitSet.of(first.getIndex(), second.getIndex()));
                }
            }
        }
        return new ColumnClasses(
                classOf.values().stream().distinct().toList(), List.copyOf(pairs), List.copyOf(others));
    }

    static boolean isColumnEquality(RexNode condition) {
        return condition instanceof RexCall call
                && (call.getKind() == SqlKind.EQUALS || call.getKind() == SqlKind.IS_NOT_DISTINCT_FROM)
                && call.getOperands().stream().allMatch(RexInputRef.class::isInstance);
    }

    private static boolean sameType(RexInputRef first, RexInputRef second, RexBuilder rexBuilder) {
        RelDataTypeFactory types = rexBuilder.getTypeFactory();
        RelDataType other = second.getType();
        return SqlTypeUtil.equalSansNullability(types, first.getType(), other);
    }

    private static void unite(int first, int second, Map<Integer, ImmutableBitSet> classOf) {
        ImmutableBitSet united = classOf.getOrDefault(first, ImmutableBitSet.of(first))
                .union(classOf.getOrDefault(second, ImmutableBitSet.of(second)));
        united.forEach(column -> classOf.put(column, united));
    }
}
