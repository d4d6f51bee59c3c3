package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.calcite.rex.RexLiteral;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Determines the values that an analysis would give to other literals in place of those that it saw. */
public final class ParameterValues {
    /** A number with this many digits always fits into a long. */
    private static final int MAX_DIGITS = 18;

    private final LiteralAnalyzer literals;
    private final Comparisons comparisons;
    private final HiveRexBuilder rex;

    public ParameterValues(AnalysisContext context, HiveRexBuilder rex) {
        this.literals = new LiteralAnalyzer(context);
        this.comparisons = new Comparisons(rex, context);
        this.rex = rex;
    }

    /**
     * Returns the value that is compared with a column of a type if this literal takes the parameter's place. Empty if
     * the analysis would build another comparison, or report an error.
     */
    public Optional<RexLiteral> of(SyntaxNode literal, SqlType column) {
        if (isWhole(column)) {
            OptionalLong number = plainNumber(literal);
            if (number.isPresent()) {
                return comparisons.columnValue(column, number.getAsLong());
            }
        }
        try {
            LiteralAnalyzer.Literal value =
                    literal.is(HiveParser.MINUS) ? literals.number(literal.child(0), "-") : literals.analyze(literal);
            return comparisons.columnValue(literal, column, rex.constant(value.value(), value.type()));
        } catch (SkepException e) {
            return Optional.empty();
        }
    }

    private static boolean isWhole(SqlType type) {
        return type instanceof PrimitiveType primitive
                && switch (primitive) {
                    case TINYINT, SMALLINT, INT, BIGINT -> true;
                    default -> false;
                };
    }

    /**
     * Parses a number that consists of digits only, with or without a minus. Most statements of the same shape differ
     * only in such numbers.
     */
    private static OptionalLong plainNumber(SyntaxNode literal) {
        boolean negative = literal.is(HiveParser.MINUS);
        SyntaxNode number = negative ? literal.child(0) : literal;
        String digits = number.text();
        if (!number.is(HiveParser.Number) || digits.isEmpty() || digits.length() > MAX_DIGITS) {
            return OptionalLong.empty();
        }
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return OptionalLong.empty();
            }
            value = 10 * value + digit;
        }
        return OptionalLong.of(negative ? -value : value);
    }
}
