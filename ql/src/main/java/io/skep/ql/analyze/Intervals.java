package io.skep.ql.analyze;

import com.google.common.primitives.Ints;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.SyntaxNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.common.type.HiveIntervalDayTime;
import org.apache.hadoop.hive.common.type.HiveIntervalYearMonth;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Analyzes {@code INTERVAL '1-2' YEAR TO MONTH}. The grammar represents it as a call with the unit's token type and the
 * value.
 */
final class Intervals {
    private static final int MONTHS_PER_YEAR = 12;
    private static final long SECONDS_PER_MINUTE = 60;
    private static final long SECONDS_PER_HOUR = 3_600;
    private static final long SECONDS_PER_DAY = 86_400;

    private Intervals() {}

    /** Whether the arguments are those that the grammar gives to the function: the unit's token and a value. */
    static boolean isInterval(List<SyntaxNode> arguments) {
        return arguments.size() == 2 && Ints.tryParse(arguments.getFirst().text()) != null;
    }

    static RexNode analyze(SyntaxNode node, ExpressionAnalyzer expressions, FunctionCalls functions) {
        List<SyntaxNode> arguments = FunctionCalls.arguments(node);
        int unit = Integer.parseInt(arguments.getFirst().text());
        SyntaxNode value = arguments.get(1);
        boolean text = value.is(HiveParser.StringLiteral);
        if (!text && !value.is(HiveParser.Number)) {
            RexNode unitCode = expressions.rex().constant(new Datum.OfLong(unit), PrimitiveType.INT);
            return functions.call(node, "internal_interval", List.of(unitCode, expressions.analyze(value)));
        }
        String number = text ? StringLiterals.unquote(value.text()) : value.text();
        try {
            LiteralAnalyzer.Literal literal = constant(unit, number.strip());
            return expressions.rex().constant(literal.value(), literal.type());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "'" + number + "' is not an interval", e)
                    .at(node.position());
        }
    }

    private static LiteralAnalyzer.Literal constant(int unit, String text) {
        return switch (unit) {
            case HiveParser.TOK_INTERVAL_YEAR_LITERAL -> months(Integer.parseInt(text) * MONTHS_PER_YEAR);
            case HiveParser.TOK_INTERVAL_MONTH_LITERAL -> months(Integer.parseInt(text));
            case HiveParser.TOK_INTERVAL_YEAR_MONTH_LITERAL ->
                months(HiveIntervalYearMonth.valueOf(text).getTotalMonths());
            case HiveParser.TOK_INTERVAL_DAY_LITERAL -> seconds(text, SECONDS_PER_DAY);
            case HiveParser.TOK_INTERVAL_HOUR_LITERAL -> seconds(text, SECONDS_PER_HOUR);
            case HiveParser.TOK_INTERVAL_MINUTE_LITERAL -> seconds(text, SECONDS_PER_MINUTE);
            case HiveParser.TOK_INTERVAL_SECOND_LITERAL -> seconds(text, 1);
            case HiveParser.TOK_INTERVAL_DAY_TIME_LITERAL -> dayTime(HiveIntervalDayTime.valueOf(text));
            default -> throw new IllegalArgumentException("no interval unit");
        };
    }

    private static LiteralAnalyzer.Literal months(int months) {
        return new LiteralAnalyzer.Literal(new Datum.OfLong(months), PrimitiveType.INTERVAL_YEAR_MONTH);
    }

    private static LiteralAnalyzer.Literal seconds(String text, long unit) {
        BigDecimal total = new BigDecimal(text).multiply(BigDecimal.valueOf(unit));
        BigDecimal whole = total.setScale(0, RoundingMode.FLOOR);
        int nanos = total.subtract(whole).movePointRight(9).intValueExact();
        return new LiteralAnalyzer.Literal(
                new Datum.OfTimestamp(whole.longValueExact(), nanos), PrimitiveType.INTERVAL_DAY_TIME);
    }

    private static LiteralAnalyzer.Literal dayTime(HiveIntervalDayTime value) {
        long seconds = value.getTotalSeconds();
        int nanos = value.getNanos();
        Datum datum = nanos < 0
                ? new Datum.OfTimestamp(seconds - 1, nanos + 1_000_000_000)
                : new Datum.OfTimestamp(seconds, nanos);
        return new LiteralAnalyzer.Literal(datum, PrimitiveType.INTERVAL_DAY_TIME);
    }
}
