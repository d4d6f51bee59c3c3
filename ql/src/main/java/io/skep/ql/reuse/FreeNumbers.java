package io.skep.ql.reuse;

import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The numbers of a query that a plan can leave open: those that a conjunct of a WHERE compares with a column.
 *
 * @param indexes among the numbers of the statement's shape, ascending
 */
record FreeNumbers(List<Integer> indexes) {
    private static final Set<Integer> COMPARISONS = Set.of(
            HiveParser.EQUAL,
            HiveParser.LESSTHAN,
            HiveParser.LESSTHANOREQUALTO,
            HiveParser.GREATERTHAN,
            HiveParser.GREATERTHANOREQUALTO);

    FreeNumbers {
        indexes = List.copyOf(indexes);
    }

    static FreeNumbers of(SyntaxNode query, StatementShape shape) {
        Map<Integer, SyntaxNode> found = new HashMap<>();
        for (SyntaxNode where : query.descendants(HiveParser.TOK_WHERE)) {
            collect(where.child(0), found);
        }
        return new FreeNumbers(IntStream.range(0, shape.numbers().size())
                .filter(index -> found.containsKey(shape.numbers().get(index).offset()))
                .boxed()
                .toList());
    }

    private static void collect(SyntaxNode condition, Map<Integer, SyntaxNode> found) {
        if (condition.is(HiveParser.KW_AND)) {
            condition.children().forEach(child -> collect(child, found));
        } else if (COMPARISONS.contains(condition.type())) {
            for (int side = 0; side < 2; side++) {
                SyntaxNode number = condition.child(side);
                SyntaxNode other = condition.child(1 - side);
                boolean column = other.is(HiveParser.TOK_TABLE_OR_COL) || other.is(HiveParser.DOT);
                if (number.is(HiveParser.Number) && column) {
                    found.put(number.offset(), number);
                }
            }
        }
    }

    /** The query with parameters, numbered from 0, in the place of these numbers. */
    SyntaxNode open(SyntaxNode query, StatementShape shape) {
        Map<Integer, SyntaxNode> parameters = new HashMap<>();
        for (int i = 0; i < indexes.size(); i++) {
            StatementShape.Literal number = shape.numbers().get(indexes.get(i));
            int type = number.isInt() ? SyntaxNode.INT_PARAMETER : SyntaxNode.BIGINT_PARAMETER;
            parameters.put(
                    number.offset(), new SyntaxNode(type, Integer.toString(i), List.of(), query.position(), -1, ""));
        }
        return replaced(query, parameters);
    }

    private static SyntaxNode replaced(SyntaxNode node, Map<Integer, SyntaxNode> parameters) {
        SyntaxNode parameter = node.is(HiveParser.Number) ? parameters.get(node.offset()) : null;
        return parameter != null
                ? parameter
                : node.withChildren(node.children().stream()
                        .map(child -> replaced(child, parameters))
                        .toList());
    }

    /** The values of these numbers. */
    List<Long> values(StatementShape shape) {
        return indexes.stream().map(index -> shape.numbers().get(index).value()).toList();
    }

    /** The values of the other numbers. */
    List<Long> fixed(StatementShape shape) {
        List<Long> fixed = new ArrayList<>();
        for (int i = 0; i < shape.numbers().size(); i++) {
            if (!indexes.contains(i)) {
                fixed.add(shape.numbers().get(i).value());
            }
        }
        return fixed;
    }
}
