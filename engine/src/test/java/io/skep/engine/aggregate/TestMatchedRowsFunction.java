package io.skep.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.scalar.Values;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.PTFPartition;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.udf.ptf.MatchPath;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rows that matchpath finds are those that Hive's class finds. */
class TestMatchedRowsFunction {
    private static final ArrayType PATHS =
            new ArrayType(new StructType(List.of(new StructType.Field("row", PrimitiveType.BIGINT))));

    private static final List<String> PATTERNS = List.of(
            "0",
            "0.1",
            "0+",
            "0*",
            "0+.1",
            "0*.1",
            "0.1*",
            "0.1+",
            "0*.1*",
            "0+.1+",
            "0.0+",
            "0+.0",
            "0*.0",
            "1.0*.1",
            "0*.1*.0*",
            "0*.1.0+.1",
            "1+.1+.0*");

    @Test
    void matchesAreThoseOfHive() throws Exception {
        Random random = new Random(3);
        for (String pattern : PATTERNS) {
            for (int round = 0; round < 40; round++) {
                int first = 1 + random.nextInt(6);
                int second = 1 + random.nextInt(6);
                boolean[][] symbols = {booleans(random, first + second), booleans(random, first + second)};
                List<List<Long>> expected = new ArrayList<>(ofHive(pattern, symbols, 0, first));
                expected.addAll(ofHive(pattern, symbols, first, first + second));
                assertThat(run(pattern, symbols, first))
                        .as("%s over %s and %s", pattern, Arrays.toString(symbols[0]), Arrays.toString(symbols[1]))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aNullDoesNotMatch() {
        LongVector symbol = new LongVector(new long[] {1, 1, 1}, new long[] {0b010}, 3);
        Vector paths = evaluate("0.0*", List.of(symbol), 3);
        assertThat(rows(Values.datum(paths, 0))).containsExactly(0L);
        assertThat(paths.isNull(1)).isTrue();
        assertThat(rows(Values.datum(paths, 2))).containsExactly(2L);
    }

    @Test
    void aCancellationIsNoticed() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> evaluate("0", List.of(longs(new long[] {1})), 1))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static boolean[] booleans(Random random, int count) {
        boolean[] values = new boolean[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(3) > 0;
        }
        return values;
    }

    /** Returns, for each row of two partitions, the rows that are found from it on; null if none are. */
    private static List<List<Long>> run(String pattern, boolean[][] symbols, int first) {
        List<LongVector> vectors = new ArrayList<>();
        for (boolean[] symbol : symbols) {
            long[] values = new long[symbol.length];
            Arrays.setAll(values, i -> symbol[i] ? 1 : 0);
            vectors.add(longs(values));
        }
        Vector paths = evaluate(pattern, vectors, first);
        List<List<Long>> found = new ArrayList<>();
        for (int row = 0; row < paths.length(); row++) {
            found.add(paths.isNull(row) ? null : rows(Values.datum(paths, row)));
        }
        return found;
    }

    private static Vector evaluate(String pattern, List<LongVector> symbols, int first) {
        int count = symbols.getFirst().length();
        int[] starts = new int[count];
        int[] ends = new int[count];
        Arrays.setAll(starts, i -> i < first ? 0 : first);
        Arrays.setAll(ends, i -> i < first ? first : count);
        long[] numbers = new long[count];
        Arrays.setAll(numbers, i -> i);
        List<Vector> arguments = new ArrayList<>();
        arguments.add(text(pattern, count));
        arguments.addAll(symbols);
        arguments.add(longs(numbers));
        return new MatchedRowsFunction(PATHS)
                .evaluate(
                        arguments.toArray(new Vector[0]),
                        new WindowRows(count, 0, starts, ends, starts, ends, starts, ends));
    }

    private static Vector text(String text, int count) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
        for (int i = 0; i < count; i++) {
            appender.appendBytes(bytes, 0, bytes.length);
        }
        return appender.build();
    }

    private static LongVector longs(long[] values) {
        return new LongVector(values, null, values.length);
    }

    private static List<Long> rows(Datum path) {
        return ((Datum.OfList) path)
                .values().stream()
                        .map(row ->
                                ((Datum.OfLong) ((Datum.OfList) row).values().getFirst()).value())
                        .toList();
    }

    @SuppressWarnings("rawtypes")
    private static List<List<Long>> ofHive(String pattern, boolean[][] symbols, int from, int to) throws Exception {
        ArrayList<ExprNodeEvaluator> evaluators = new ArrayList<>();
        ArrayList<ObjectInspector> inspectors = new ArrayList<>();
        for (boolean[] symbol : symbols) {
            evaluators.add(new Symbol(symbol));
            inspectors.add(PrimitiveObjectInspectorFactory.javaBooleanObjectInspector);
        }
        MatchPath.SymbolParser parser =
                new MatchPath.SymbolParser(pattern, new ArrayList<>(List.of("0", "1")), evaluators, inspectors);
        parser.parse();
        Rows rows = new Rows(from, to);
        List<List<Long>> found = new ArrayList<>();
        while (rows.hasNext()) {
            Object row = rows.next();
            MatchPath.SymbolFunctionResult result =
                    MatchPath.SymbolFunction.match(parser.getSymbolFunction(), row, rows);
            List<Long> path = new ArrayList<>();
            int last = Math.min(to - from, Math.max(rows.getIndex(), result.nextRow));
            for (int at = rows.getIndex() - 1; at < last; at++) {
                path.add(Long.valueOf(from) + at);
            }
            found.add(result.matches ? path : null);
        }
        return found;
    }

    /** A symbol of Hive over rows that are their numbers. */
    private static final class Symbol extends ExprNodeEvaluator<ExprNodeDesc> {
        private final boolean[] values;

        private Symbol(boolean[] values) {
            super(null, null);
            this.values = values;
        }

        @Override
        public ObjectInspector initialize(ObjectInspector inspector) {
            return PrimitiveObjectInspectorFactory.javaBooleanObjectInspector;
        }

        @Override
        protected Object _evaluate(Object row, int version) {
            return values[(Integer) row];
        }
    }

    /** The rows of a partition. */
    private static final class Rows implements PTFPartition.PTFPartitionIterator<Object> {
        private final int from;
        private final int to;
        private int index;

        private Rows(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public boolean hasNext() {
            return from + index < to;
        }

        @Override
        public Object next() {
            return from + index++;
        }

        @Override
        public int getIndex() {
            return index;
        }

        @Override
        public @Nullable Object resetToIndex(int position) {
            if (position < 0 || from + position >= to) {
                return null;
            }
            index = position + 1;
            return from + position;
        }

        @Override
        public Object lead(int rows) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object lag(int rows) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PTFPartition getPartition() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reset() {
            index = 0;
        }

        @Override
        public long count() {
            return (long) to - from;
        }
    }
}
