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

/** What an analysis would make of other literals in the places of those that it saw. */
public final class ParameterValues {
    /** Of a number that a long surely holds. */
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
     * The value that is compared with a column of a type when this literal stands beside the column. Empty where the analysis
     * would make another comparison of it, or say what is wrong with it.
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

    /** A number of digits alone, with or without a minus: the greater part of what statements of one shape differ in. */
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
