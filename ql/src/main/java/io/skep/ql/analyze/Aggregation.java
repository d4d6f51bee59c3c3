package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Resolves names and expressions after a grouping. A column must be a group key. A grouped expression or an aggregate
 * call resolves to a field of the aggregate.
 *
 * @param input resolves names before the grouping
 * @param scope the aggregate, or a later operator over it: keys, aggregates, GROUPING
 * @param keys the group keys, over the input
 * @param calls the fields of the aggregate calls, by the shape of the call
 * @param groupingField the field with GROUPING over all keys, present when there are grouping sets
 */
record Aggregation(
        Environment environment,
        Resolver input,
        Scope scope,
        List<RexNode> keys,
        Map<String, Integer> calls,
        OptionalInt groupingField)
        implements Resolver {
    private static final String GROUPING_ID = "grouping__id";

    /** Returns this aggregation over another operator with the same fields. */
    Aggregation over(Scope other) {
        return new Aggregation(environment, input, other, keys, calls, groupingField);
    }

    @Override
    public OptionalInt column(SyntaxNode where, String table, String name) {
        OptionalInt byName = keyByName(table, name);
        if (byName.isPresent()) {
            return byName;
        }
        OptionalInt index = input.column(where, table, name);
        if (index.isEmpty()) {
            return index;
        }
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i) instanceof RexInputRef key && key.getIndex() == index.getAsInt()) {
                return OptionalInt.of(i);
            }
        }
        SkepException error = where.is(HiveParser.TOK_ALLCOLREF)
                ? CompileErrors.plain(
                        where.position(),
                        StandardErrorCode.NOT_IN_GROUP_BY,
                        ErrorMsg.NON_KEY_EXPR_IN_GROUPBY,
                        ErrorMsg.NON_KEY_EXPR_IN_GROUPBY.getMsg() + " " + name)
                : CompileErrors.at(where, StandardErrorCode.NOT_IN_GROUP_BY, ErrorMsg.NON_KEY_EXPR_IN_GROUPBY);
        throw error.withHint("add it to GROUP BY, or use an aggregate such as max(" + name + ")");
    }

    /** Finds the only key with this name. Other columns of the same name that are not keys do not make it ambiguous. */
    private OptionalInt keyByName(String table, String name) {
        OptionalInt found = OptionalInt.empty();
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i) instanceof RexInputRef key) {
                ScopeColumn column = input.scope().columns().get(key.getIndex());
                boolean matches = column.name().equals(name)
                        && (table.isEmpty() || column.table().equals(table));
                if (matches && found.isPresent()) {
                    return OptionalInt.empty();
                }
                found = matches ? OptionalInt.of(i) : found;
            }
        }
        return found;
    }

    @Override
    public OptionalInt aggregate(SyntaxNode call) {
        Integer field = calls.get(call.shape());
        return field == null ? OptionalInt.empty() : OptionalInt.of(field);
    }

    @Override
    public boolean hasTable(String alias) {
        return input.hasTable(alias);
    }

    @Override
    public Optional<RexNode> replacement(SyntaxNode node, ExpressionAnalyzer analyzer) {
        if (Aggregates.isCall(node)) {
            Integer field = calls.get(node.shape());
            if (field != null) {
                return Optional.of(scope.reference(field));
            }
            if (!keys.isEmpty() && FunctionCalls.name(node).equals("grouping")) {
                return Optional.of(grouping(node, analyzer));
            }
        }
        if (groupingField.isPresent()
                && node.is(HiveParser.TOK_TABLE_OR_COL)
                && Names.of(node.child(0)).equals(GROUPING_ID)) {
            return Optional.of(scope.reference(groupingField.getAsInt()));
        }
        return key(node);
    }

    /** Finds the key that equals a whole expression. A plain column finds its key by name instead. */
    private Optional<RexNode> key(SyntaxNode node) {
        if (keys.stream().allMatch(RexInputRef.class::isInstance) || !comparable(node)) {
            return Optional.empty();
        }
        RexNode value;
        try {
            value = new ExpressionAnalyzer(environment, input, Optional.empty()).analyze(node);
        } catch (SkepException e) {
            return Optional.empty();
        }
        if (RexUtil.isDeterministic(value) && !(value instanceof RexSubQuery)) {
            int index = keys.indexOf(value);
            return index < 0 ? Optional.empty() : Optional.of(scope.reference(index));
        }
        return Optional.empty();
    }

    private static boolean comparable(SyntaxNode node) {
        return !LiteralAnalyzer.isLiteral(node.type())
                && node.descendants(HiveParser.TOK_SUBQUERY_EXPR).isEmpty()
                && node.descendants(HiveParser.TOK_WINDOWSPEC).isEmpty();
    }

    /**
     * Resolves {@code grouping(a, b)}: one bit per argument that says whether it is aggregated away. The first argument
     * has the highest bit.
     */
    private RexNode grouping(SyntaxNode node, ExpressionAnalyzer analyzer) {
        List<SyntaxNode> arguments = FunctionCalls.arguments(node);
        int[] positions = new int[arguments.size()];
        for (int i = 0; i < positions.length; i++) {
            RexNode value = new ExpressionAnalyzer(environment, input, Optional.empty()).analyze(arguments.get(i));
            positions[i] = keys.indexOf(value);
            if (positions[i] < 0) {
                throw CompileErrors.plain(
                        arguments.get(i).position(),
                        StandardErrorCode.NOT_IN_GROUP_BY,
                        ErrorMsg.HIVE_GROUPING_FUNCTION_EXPR_NOT_IN_GROUPBY);
            }
        }
        return groupingField.isPresent()
                ? GroupingBits.of(scope.reference(groupingField.getAsInt()), keys.size(), positions, analyzer.rex())
                : analyzer.rex().constant(new Datum.OfLong(0), PrimitiveType.BIGINT);
    }

    @Override
    public Optional<Resolver> outer() {
        return input.outer();
    }

    @Override
    public List<Integer> star() {
        return input.star();
    }

    @Override
    public List<ScopeColumn> namedColumns() {
        return input.namedColumns();
    }

    @Override
    public List<String> names() {
        return input.names();
    }
}
