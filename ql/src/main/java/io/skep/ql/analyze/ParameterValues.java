package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import java.util.Optional;
import org.apache.calcite.rex.RexLiteral;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** What an analysis would make of other literals in the places of those that it saw. */
public final class ParameterValues {
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
        try {
            LiteralAnalyzer.Literal value =
                    literal.is(HiveParser.MINUS) ? literals.number(literal.child(0), "-") : literals.analyze(literal);
            return comparisons.columnValue(literal, column, rex.constant(value.value(), value.type()));
        } catch (SkepException e) {
            return Optional.empty();
        }
    }
}
