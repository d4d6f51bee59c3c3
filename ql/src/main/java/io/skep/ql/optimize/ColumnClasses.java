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
 * The equivalence classes of columns in a join graph. Columns of a class have equal values in every row of the result:
 * {@code a.x = b.y AND b.y = c.z} makes a class of three columns, any two of which can be joined.
 *
 * @param classes sets of two or more columns each; they replace the conditions that they come from
 * @param pairs columns that are compared for equality but form no class, because their types differ or NULL equals NULL
 * @param others the conditions that the classes do not replace
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
