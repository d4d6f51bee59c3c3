package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.apache.hadoop.hive.ql.util.DirectionUtils;
import org.apache.hadoop.hive.ql.util.NullOrdering;

/**
 * Analyzes {@code f(p) WITHIN GROUP (ORDER BY x)}. For each argument, Hive's functions expect the value to order by,
 * the direction and the position of nulls. The last two are numbers.
 */
final class WithinGroup {
    private WithinGroup() {}

    /** @param arguments the function's own arguments on entry, all arguments on return */
    static void addArguments(List<RexNode> arguments, SyntaxNode within, ExpressionAnalyzer expressions) {
        List<RexNode> own = List.copyOf(arguments);
        List<OrderKey> keys = OrderKey.of(within.child(0));
        if (own.size() != keys.size()) {
            ErrorMsg error = ErrorMsg.WITHIN_GROUP_PARAMETER_MISMATCH;
            throw SemanticErrors.plain(
                    within, error, error.format(Integer.toString(own.size()), Integer.toString(keys.size())));
        }
        arguments.clear();
        for (int i = 0; i < own.size(); i++) {
            OrderKey key = keys.get(i);
            arguments.add(own.get(i));
            arguments.add(expressions.analyze(key.expression()));
            arguments.add(number(
                    DirectionUtils.tokenToCode(
                            key.ascending() ? HiveParser.TOK_TABSORTCOLNAMEASC : HiveParser.TOK_TABSORTCOLNAMEDESC),
                    expressions));
            arguments.add(number(
                    NullOrdering.fromToken(key.nullsFirst() ? HiveParser.TOK_NULLS_FIRST : HiveParser.TOK_NULLS_LAST)
                            .getCode(),
                    expressions));
        }
    }

    private static RexNode number(int code, ExpressionAnalyzer expressions) {
        return expressions.rex().constant(new Datum.OfLong(code), PrimitiveType.INT);
    }
}
