package io.skep.bench.kernel;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.expression.FilterEvaluator;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.plan.Expression;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures expressions over one batch: conditions as filters, others as values. The time is per row. */
@State(Scope.Thread)
public class ExpressionBenchmark {
    @Param({
        "a < 500",
        "n < 500",
        "d < 500",
        "m < 50000.00",
        "l < 50000000.00",
        "a >= 100 and a < 900 and n = 7",
        "a in (8 values)",
        "a in (100 values)",
        "t like '%deposits%'",
        "t like '%special%requests%'",
        "t like 'special%'",
        "e like '%deposits%'",
        "t = 'special requests '",
        "a + n",
        "a * 3",
        "d * d",
        "m * (1.00 - m)",
        "l + l",
        "case when a < 500 then m else 0 end",
        "year(day)",
        "cast(a as string)",
        "cast(a as double)",
        "upper(t)",
        "substr(t, 3, 5)",
        "concat(t, e)"
    })
    public String expression = "";

    private Batch batch = new Batch(java.util.List.of(), 0);
    private final int[] positions = new int[Batch.TARGET_ROWS];
    private Evaluator evaluator = input -> input.column(0);
    private FilterEvaluator filter = (_, _) -> 0;
    private boolean filters;

    @Setup
    public void compile() {
        batch = SampleExpressions.batch(Batch.TARGET_ROWS);
        Expression parsed = SampleExpressions.named(expression);
        ExpressionCompiler compiler = new ExpressionCompiler(FunctionRegistry.builtIn(Map.of()));
        filters = parsed.type() == PrimitiveType.BOOLEAN;
        if (filters) {
            filter = compiler.compileFilter(parsed);
        } else {
            evaluator = compiler.compile(parsed);
        }
    }

    @Benchmark
    @OperationsPerInvocation(Batch.TARGET_ROWS)
    public Object row() {
        return filters ? filter.filter(batch, positions) : evaluator.evaluate(batch);
    }
}
