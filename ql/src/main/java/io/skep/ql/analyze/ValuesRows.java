package io.skep.ql.analyze;

import com.google.common.collect.ImmutableList;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Analyzes VALUES, which the grammar writes as {@code inline(array(struct(...), ...))} of expressions. The result is
 * rows of constants, or one projection per row if a row contains other expressions.
 */
final class ValuesRows {
    private final Environment environment;
    private final RelFactory factory;

    ValuesRows(Environment environment) {
        this.environment = environment;
        this.factory = environment.factory();
    }

    /** Whether a call is the grammar's form of VALUES with rows of equal length. */
    static boolean isValues(SyntaxNode call) {
        if (!Aggregates.isCall(call) || !FunctionCalls.name(call).equals("inline")) {
            return false;
        }
        List<SyntaxNode> arguments = FunctionCalls.arguments(call);
        return arguments.size() == 1
                && isCallOf(arguments.getFirst(), "array")
                && arguments.getFirst().childCount() > 1
                && FunctionCalls.arguments(arguments.getFirst()).stream().allMatch(row -> isCallOf(row, "struct"));
    }

    private static boolean isCallOf(SyntaxNode node, String name) {
        return Aggregates.isCall(node) && FunctionCalls.name(node).equals(name);
    }

    Relation analyze(SyntaxNode call) {
        ExpressionAnalyzer expressions = new ExpressionAnalyzer(environment, OneRow.scope(factory), Optional.empty());
        List<SyntaxNode> rowNodes =
                FunctionCalls.arguments(FunctionCalls.arguments(call).getFirst());
        List<List<RexNode>> rows = new ArrayList<>(rowNodes.size());
        for (SyntaxNode row : rowNodes) {
            rows.add(expressions.analyze(FunctionCalls.arguments(row)));
            if (rows.getLast().size() != rows.getFirst().size()) {
                throw SemanticErrors.semantic(
                        row,
                        "the first row of VALUES has " + rows.getFirst().size() + " columns, this one "
                                + rows.getLast().size());
            }
        }
        List<SqlType> types = types(rowNodes, rows);
        List<String> names = new ArrayList<>();
        List<Relation.OutputColumn> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            names.add("col" + (i + 1));
            columns.add(new Relation.OutputColumn("", names.getLast()));
        }
        return new Relation(rel(rows, types, names), columns);
    }

    private static List<SqlType> types(List<SyntaxNode> nodes, List<List<RexNode>> rows) {
        List<SqlType> types = new ArrayList<>();
        for (int column = 0; column < rows.getFirst().size(); column++) {
            SqlType type = PrimitiveType.VOID;
            for (int row = 0; row < rows.size(); row++) {
                SqlType known = type;
                SqlType other = ExpressionAnalyzer.type(rows.get(row).get(column));
                SyntaxNode where = nodes.get(row);
                type = TypeRules.common(known, other)
                        .orElseThrow(() -> SemanticErrors.typeMismatch(
                                where,
                                "rows of VALUES have types that do not go together: " + known + " and " + other));
            }
            types.add(type);
        }
        return types;
    }

    private RelNode rel(List<List<RexNode>> rows, List<SqlType> types, List<String> names) {
        ImmutableList.Builder<ImmutableList<RexLiteral>> constants = ImmutableList.builder();
        List<RelNode> computed = new ArrayList<>();
        for (List<RexNode> row : rows) {
            List<RexNode> values = new ArrayList<>();
            for (int i = 0; i < types.size(); i++) {
                values.add(factory.rex().cast(row.get(i), types.get(i)));
            }
            if (values.stream().allMatch(RexLiteral.class::isInstance)) {
                constants.add(ImmutableList.copyOf(
                        values.stream().map(RexLiteral.class::cast).toList()));
            } else {
                computed.add(LogicalProject.create(OneRow.scope(factory).rel(), List.of(), values, names, Set.of()));
            }
        }
        return united(constants.build(), computed, types, names);
    }

    private RelNode united(
            ImmutableList<ImmutableList<RexLiteral>> constants,
            List<RelNode> computed,
            List<SqlType> types,
            List<String> names) {
        List<RelNode> inputs = new ArrayList<>();
        if (!constants.isEmpty()) {
            RelDataType rowType = factory.types().rowType(names, types);
            inputs.add(LogicalValues.create(factory.cluster(), rowType, constants));
        }
        inputs.addAll(computed);
        return inputs.size() == 1 ? inputs.getFirst() : LogicalUnion.create(inputs, true);
    }
}
