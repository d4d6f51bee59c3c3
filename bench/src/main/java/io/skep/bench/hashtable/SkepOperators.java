package io.skep.bench.hashtable;

import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.operator.FinalAggregationOperator;
import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.join.HashJoin;
import io.skep.engine.operator.join.JoinBuildOperator;
import io.skep.engine.operator.join.JoinOperator;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.spill.SpillSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Skep's operators, driven as in a task: batches in, batches out, all in memory. */
abstract class SkepOperators implements Contender {
    private static final List<SqlType> TYPES = List.of(PrimitiveType.BIGINT, PrimitiveType.BIGINT);
    private static final long MEMORY = 1L << 40;

    final List<Batch> build;
    final List<Batch> probe;
    final FunctionRegistry functions = FunctionRegistry.builtIn(Map.of());
    final OperatorContext context = new OperatorContext(
            MemoryPool.root("bench", MEMORY),
            new SpillSpace(Path.of(System.getProperty("java.io.tmpdir")), new QueryId("bench"), "hashtable", 1),
            MEMORY,
            () -> false);

    SkepOperators(Keys keys) {
        build = batches(keys.buildKeys());
        probe = batches(keys.probeKeys());
    }

    private static List<Batch> batches(long[] keys) {
        List<Batch> batches = new ArrayList<>();
        long value = 0;
        for (LongVector vector : SkepTables.vectors(keys)) {
            long[] values = new long[vector.length()];
            for (int i = 0; i < values.length; i++) {
                values[i] = value++;
            }
            batches.add(Batch.of(values.length, vector, new LongVector(values, null, values.length)));
        }
        return batches;
    }

    /** Sums a column of all output that an operator currently has. */
    static long drain(Operator operator, int column) {
        long sum = 0;
        Batch batch = operator.output();
        while (batch != null || !operator.needsInput() && !operator.finished()) {
            if (batch != null) {
                long[] values = ((LongVector) batch.column(column).flatten()).values();
                for (int i = 0; i < batch.rowCount(); i++) {
                    sum += values[i];
                }
            }
            batch = operator.output();
        }
        return sum;
    }

    @Override
    public long overheadBytes() {
        return 0;
    }

    /** Returns the build side's value next to each probe row. */
    static final class Join extends SkepOperators {
        private HashJoin.@Nullable Shared shared;

        Join(Keys keys) {
            super(keys);
        }

        @Override
        public void build() {
            close();
            PlanNode side = new PlanNode.RemoteSource(List.of(0), TYPES, List.of());
            PlanNode.Join join = new PlanNode.Join(
                    PlanNode.JoinKind.INNER, side, side, List.of(0), List.of(0), List.of(false), Optional.empty());
            BitSet used = new BitSet();
            used.set(3);
            HashJoin.Shared sides = new HashJoin.Shared(join, used, List.of(), 1, 1);
            shared = sides;
            JoinBuildOperator operator = new JoinBuildOperator(sides, context);
            build.forEach(operator::add);
            operator.finish();
        }

        @Override
        public long probe() {
            HashJoin.Shared sides = java.util.Objects.requireNonNull(shared);
            long sum = 0;
            try (JoinOperator operator = new JoinOperator(sides, new ExpressionCompiler(functions), context)) {
                for (Batch batch : probe) {
                    operator.add(batch);
                    sum += drain(operator, 3);
                }
                operator.finish();
                return sum + drain(operator, 3);
            }
        }

        @Override
        public void close() {
            if (shared != null) {
                shared.close();
            }
        }
    }

    /** Sums by key, from the first input row to the last group. */
    static final class Aggregation extends SkepOperators {
        private @Nullable FinalAggregationOperator operator;

        Aggregation(Keys keys) {
            super(keys);
        }

        @Override
        public void build() {
            close();
            AggregateCall sum = new AggregateCall(
                    "sum",
                    false,
                    List.of(1),
                    OptionalInt.empty(),
                    List.of(PrimitiveType.BIGINT),
                    PrimitiveType.BIGINT,
                    PrimitiveType.BIGINT);
            FinalAggregationOperator made = new FinalAggregationOperator(
                    TYPES.subList(0, 1),
                    List.of(0),
                    List.of(sum),
                    List.of(new AggregateFunctions(functions).of(sum)),
                    null,
                    context);
            operator = made;
            build.forEach(made::add);
        }

        @Override
        public long probe() {
            FinalAggregationOperator made = java.util.Objects.requireNonNull(operator);
            probe.forEach(made::add);
            made.finish();
            return drain(made, 1);
        }

        @Override
        public void close() {
            if (operator != null) {
                operator.close();
            }
        }
    }
}
