package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/**
 * {@code f(p) WITHIN GROUP (ORDER BY x)}: Hive's functions for it take their own arguments, then for each key of the
 * order its value, the direction (0 ascending, 1 descending) and where nulls go (0 first, 1 last).
 */
final class WithinGroup {
    private WithinGroup() {}

    /** @param arguments the function's own arguments; becomes all arguments */
    static void addArguments(List<RexNode> arguments, SyntaxNode within, ExpressionAnalyzer expressions) {
        for (OrderKey key : OrderKey.of(within.child(0))) {
            arguments.add(expressions.analyze(key.expression()));
            arguments.add(flag(!key.ascending(), expressions));
            arguments.add(flag(!key.nullsFirst(), expressions));
        }
    }

    private static RexNode flag(boolean value, ExpressionAnalyzer expressions) {
        return expressions.rex().constant(new Datum.OfLong(value ? 1 : 0), PrimitiveType.INT);
    }
}
