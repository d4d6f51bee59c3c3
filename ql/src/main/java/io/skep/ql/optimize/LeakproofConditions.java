package io.skep.ql.optimize;

import io.skep.ql.rel.HiveOperators;
import java.util.EnumSet;
import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Decides whether a condition is leakproof (PostgreSQL's term): it cannot fail and has no side effect, so that nothing
 * but its result tells what values it has seen. It is made of comparisons of columns with constants and with columns,
 * tests for NULL and lists of constants. Anything else may fail, now or with the next version of a function.
 */
final class LeakproofConditions {
    private static final Set<SqlKind> CONNECTIVES = EnumSet.of(SqlKind.AND, SqlKind.OR, SqlKind.NOT);

    private static final Set<SqlKind> TESTS = EnumSet.of(
            SqlKind.EQUALS,
            SqlKind.NOT_EQUALS,
            SqlKind.LESS_THAN,
            SqlKind.LESS_THAN_OR_EQUAL,
            SqlKind.GREATER_THAN,
            SqlKind.GREATER_THAN_OR_EQUAL,
            SqlKind.IS_NULL,
            SqlKind.IS_NOT_NULL,
            SqlKind.SEARCH);

    private LeakproofConditions() {}

    static boolean isLeakproof(RexNode condition) {
        if (!(condition instanceof RexCall call)) {
            return isValue(condition);
        }
        if (CONNECTIVES.contains(call.getKind())) {
            return call.getOperands().stream().allMatch(LeakproofConditions::isLeakproof);
        }
        return (TESTS.contains(call.getKind()) || HiveOperators.isInList(call))
                && call.getOperands().stream().allMatch(LeakproofConditions::isValue);
    }

    private static boolean isValue(RexNode node) {
        return node instanceof RexInputRef || node instanceof RexLiteral || node instanceof RexDynamicParam;
    }
}
