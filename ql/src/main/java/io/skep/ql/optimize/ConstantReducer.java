package io.skep.ql.optimize;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.plan.Expression;
import io.skep.ql.physical.RexTranslator;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.LiteralMapping;
import io.skep.ql.rel.TypeMapping;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;

/**
 * Evaluates constant expressions with the functions of the engine, so that folding never changes a result. It evaluates
 * only expressions that {@link CheapCalls} allows.
 */
public final class ConstantReducer implements RexExecutor {
    private static final Batch ONE_ROW = new Batch(List.of(), 1);

    private final ExpressionCompiler compiler;

    public ConstantReducer(ExpressionCompiler compiler) {
        this.compiler = compiler;
    }

    @Override
    public void reduce(RexBuilder rexBuilder, List<RexNode> expressions, List<RexNode> reduced) {
        HiveRexBuilder hive = (HiveRexBuilder) rexBuilder;
        for (RexNode expression : expressions) {
            reduced.add(reduce(expression, hive));
        }
    }

    /** Evaluates an expression without columns, of any type. Empty if it fails or is not cheap. */
    public Optional<Datum> evaluate(RexNode expression, HiveRexBuilder rexBuilder) {
        try {
            Expression translated = new RexTranslator(rexBuilder).translate(expression);
            if (!CheapCalls.isFoldableCheaply(translated)) {
                return Optional.empty();
            }
            Evaluator evaluator = compiler.compile(translated);
            try {
                return Optional.of(Datum.of(evaluator.evaluate(ONE_ROW), 0, translated.type()));
            } finally {
                evaluator.close();
            }
        } catch (SkepException e) {
            return Optional.empty();
        }
    }

    /**
     * Folds an expression if its evaluation succeeds. A failing expression stays for execution, which may never reach
     * it.
     */
    private RexNode reduce(RexNode expression, HiveRexBuilder rexBuilder) {
        return evaluate(expression, rexBuilder)
                .filter(datum -> isLiteral(datum) && LiteralMapping.isInRange(datum, expressionType(expression)))
                .<RexNode>map(datum -> rexBuilder.constant(datum, expressionType(expression)))
                .orElse(expression);
    }

    private static SqlType expressionType(RexNode expression) {
        return TypeMapping.toSql(expression.getType());
    }

    private static boolean isLiteral(Datum datum) {
        return switch (datum) {
            case Datum.OfList list -> false;
            case Datum.OfMap map -> false;
            case Datum.OfUnion union -> false;
            case Datum.OfDouble number -> Double.isFinite(number.value());
            case Datum.Null n -> true;
            case Datum.OfLong n -> true;
            case Datum.OfBytes text -> text.value().length <= CheapCalls.MAX_BYTES;
            case Datum.OfDecimal n -> true;
            case Datum.OfTimestamp n -> true;
        };
    }
}
