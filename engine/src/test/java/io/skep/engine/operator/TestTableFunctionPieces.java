package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDTF;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.LongObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Table functions that return many rows for each input row return them one batch at a time. */
class TestTableFunctionPieces {
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final SqlType ARRAY = new ArrayType(BIGINT);
    private static final long MB = 1 << 20;

    private static TableFunctionOperator operator(
            String function, List<SqlType> inputs, List<SqlType> results, boolean outer) {
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            arguments.add(new Expression.InputColumn(i, inputs.get(i)));
        }
        PlanNode input = new PlanNode.Values(inputs, List.of());
        return new TableFunctionOperator(
                new PlanNode.TableFunction(input, function, arguments, results, outer),
                FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC")));
    }

    /** Returns arrays that are all prefixes of one array. */
    private static Vector arrays(int... lengths) {
        int longest = Arrays.stream(lengths).max().orElse(0);
        long[] elements = new long[longest];
        Arrays.setAll(elements, i -> i);
        long[] nulls = NullMask.allNull(lengths.length);
        int[] used = lengths.clone();
        Arrays.fill(nulls, 0);
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < 0) {
                NullMask.set(nulls, i);
                used[i] = 0;
            }
        }
        return new ListVector(
                new LongVector(elements, null, longest), new int[lengths.length], used, nulls, lengths.length);
    }

    @Test
    void aRowIsReplicatedWithoutEnd() {
        TableFunctionOperator operator =
                operator("replicate_rows", List.of(BIGINT, BIGINT), List.of(BIGINT, BIGINT), false);
        operator.add(Batch.of(2, TestBatches.longs(0, Long.MAX_VALUE), TestBatches.longs(5, 7)));
        for (int i = 0; i < 100; i++) {
            Batch batch = Objects.requireNonNull(operator.output());
            assertThat(batch.rowCount()).isEqualTo(Batch.TARGET_ROWS);
            assertThat(TestBatches.rows(batch).getFirst()).containsExactly(Long.MAX_VALUE, 7L, Long.MAX_VALUE, 7L);
        }
        assertThat(operator.needsInput()).isFalse();
        assertThat(operator.heldBytes()).isLessThan(MB);
        operator.close();
    }

    @Test
    void longArraysAreExplodedAPieceAtATime() {
        int[] lengths = new int[Batch.TARGET_ROWS];
        Arrays.fill(lengths, 1_000_000);
        TableFunctionOperator operator =
                operator("posexplode", List.of(ARRAY), List.of(PrimitiveType.INT, BIGINT), false);
        operator.add(Batch.of(lengths.length, arrays(lengths)));
        for (int i = 0; i < 100; i++) {
            Batch batch = Objects.requireNonNull(operator.output());
            assertThat(batch.rowCount()).isEqualTo(Batch.TARGET_ROWS);
        }
        operator.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void piecesTogetherAreTheWhole(boolean outer) {
        int[] lengths = {0, 5000, -1, 1, 0, 2048, 0, -1, 4096, 2, -1};
        TableFunctionOperator operator = operator("explode", List.of(ARRAY), List.of(BIGINT), outer);
        operator.add(Batch.of(lengths.length, arrays(lengths)));
        operator.finish();
        List<Long> values = new ArrayList<>();
        while (!operator.finished()) {
            Batch batch = operator.output();
            if (batch != null) {
                assertThat(batch.rowCount()).isLessThanOrEqualTo(Batch.TARGET_ROWS);
                TestBatches.rows(batch).forEach(row -> values.add((Long) row.get(1)));
            }
        }
        List<Long> expected = new ArrayList<>();
        for (int length : lengths) {
            for (long i = 0; i < length; i++) {
                expected.add(i);
            }
            if (outer && length <= 0) {
                expected.add(null);
            }
        }
        assertThat(values).isEqualTo(expected);
    }

    /**
     * Hive's class pushes the rows of a call. The rows of a few calls form a batch. The rows of one call are rejected
     * if there are too many.
     */
    @ParameterizedTest
    @CsvSource({"1000, true", "100000, true", "1000000000, false"})
    void whatAClassPushesIsCounted(long count, boolean answered) {
        MemoryPool pool = MemoryPool.root("test", 16 * MB);
        TableFunctionOperator operator =
                operator("pushing@" + Pushing.class.getName(), List.of(BIGINT), List.of(BIGINT), false);
        try (ScratchMemory scratch = new ScratchMemory(pool, MB)) {
            operator.add(Batch.of(3, TestBatches.longs(count, count, count)));
            if (answered) {
                assertThat(scratch.within(() -> count(operator))).isEqualTo(3 * count);
            } else {
                assertThatThrownBy(() -> scratch.within(() -> count(operator)))
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
            }
        }
        operator.close();
        assertThat(pool.reservedBytes()).isZero();
    }

    private static long count(TableFunctionOperator operator) {
        long rows = 0;
        operator.finish();
        while (!operator.finished()) {
            Batch batch = operator.output();
            rows += batch == null ? 0 : batch.rowCount();
        }
        return rows;
    }

    /** Returns as many rows as its argument states. */
    public static final class Pushing extends GenericUDTF {
        private LongObjectInspector argument = PrimitiveObjectInspectorFactory.writableLongObjectInspector;

        @Override
        public StructObjectInspector initialize(StructObjectInspector arguments) {
            argument = (LongObjectInspector)
                    arguments.getAllStructFieldRefs().getFirst().getFieldObjectInspector();
            return ObjectInspectorFactory.getStandardStructObjectInspector(
                    List.of("n"), List.<ObjectInspector>of(PrimitiveObjectInspectorFactory.javaLongObjectInspector));
        }

        @Override
        public void process(Object[] values) throws HiveException {
            Long[] row = {0L};
            for (long i = 0; i < argument.get(values[0]); i++) {
                row[0] = i;
                forward(row);
            }
        }

        @Override
        public void close() {}
    }
}
