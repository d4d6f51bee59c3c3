package io.skep.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.RandomVectors;
import io.skep.engine.function.WindowFunctions;
import io.skep.engine.function.scalar.Values;
import io.skep.engine.plan.WindowCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Window functions that process their partitions in pieces return the same results as for whole partitions. */
class TestWindowPieces {
    private static final int[] PARTITIONS = {37, 1, 60};
    private static final int ROUNDS = 12;

    private final WindowFunctions functions =
            new WindowFunctions(FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "row_number | | int",
                "rank | | int",
                "dense_rank | | int",
                "first_value | string | string",
                "last_value | string | string",
                "count | | bigint",
                "count | string | bigint",
                "sum | bigint | bigint",
                "sum | int | bigint",
                "sum | double | double",
                "sum | decimal(12,2) | decimal(22,2)",
                "sum | decimal(30,4) | decimal(38,4)",
                "sum | string | double",
                "avg | int | double",
                "avg | double | double",
                "avg | decimal(12,2) | decimal(16,6)",
                "min | int | int",
                "max | double | double",
                "min | string | string",
                "max | decimal(20,2) | decimal(20,2)",
                "min | timestamp | timestamp",
                "max | date | date",
                "min | boolean | boolean",
                "bool_and | boolean | boolean",
                "bool_or | boolean | boolean",
                "variance | double | double",
                "stddev_samp | int | double",
                "covar_samp | double, double | double",
                "corr | double, double | double",
                "collect_list | string | array<string>",
                "collect_set | int | array<int>",
                "regr_slope | double, double | double",
            })
    void piecesGiveWhatTheWholeGives(String name, @Nullable String arguments, String result) {
        List<SqlType> types = arguments == null
                ? List.of()
                : Arrays.stream(arguments.split(", ")).map(TypeParser::parse).toList();
        WindowCall call = new WindowCall(name, false, false, List.of(), types, frame(), TypeParser.parse(result));
        int rows = Arrays.stream(PARTITIONS).sum();
        for (int round = 0; round < ROUNDS; round++) {
            Vector[] columns = columns(types, rows, round);
            List<Datum> whole = evaluate(call, columns, List.of(0, rows));
            assertEqual(evaluate(call, columns, cuts(rows, round)), whole);
        }
    }

    /** In some rounds, a partition begins with nulls only. */
    private static Vector[] columns(List<SqlType> types, int rows, int round) {
        RandomVectors random = new RandomVectors(round);
        int[] positions = new int[rows];
        Arrays.setAll(positions, i -> i);
        Vector[] columns = new Vector[types.size()];
        for (int i = 0; i < columns.length; i++) {
            Vector column = random.vector(types.get(i), rows);
            int[] chosen = positions.clone();
            for (int row = 0; row < 20 && round % 3 == 0; row++) {
                chosen[row] = firstNull(column, row);
            }
            columns[i] = column.select(chosen, rows);
        }
        return columns;
    }

    private static int firstNull(Vector column, int orElse) {
        for (int row = 0; row < column.length(); row++) {
            if (column.isNull(row)) {
                return row;
            }
        }
        return orElse;
    }

    private static List<Integer> cuts(int rows, int round) {
        Random random = new Random(round);
        List<Integer> cuts = new ArrayList<>(List.of(0));
        for (int at = 1 + random.nextInt(25); at < rows; at += 1 + random.nextInt(25)) {
            cuts.add(at);
        }
        cuts.add(rows);
        return cuts;
    }

    private List<Datum> evaluate(WindowCall call, Vector[] columns, List<Integer> cuts) {
        List<Datum> values = new ArrayList<>();
        WindowFunction function = functions.of(call);
        try {
            assertThat(function.piece(call.frame())).isNotEqualTo(WindowPiece.PARTITION);
            for (int i = 0; i + 1 < cuts.size(); i++) {
                WindowRows rows = rows(cuts.get(i), cuts.get(i + 1));
                int from = cuts.get(i);
                Vector[] piece = Arrays.stream(columns)
                        .map(column -> column.slice(from, rows.count()))
                        .toArray(Vector[]::new);
                Vector results = function.evaluate(piece, rows);
                for (int row = 0; row < rows.count(); row++) {
                    values.add(Values.datum(results, row));
                }
            }
        } finally {
            function.close();
        }
        return values;
    }

    /**
     * Returns rows [from, to) of the partitions. No two rows are equal in the window's order. Frames start at the first
     * row of each partition.
     */
    private static WindowRows rows(int from, int to) {
        int count = to - from;
        int[] starts = new int[count];
        int[] ends = new int[count];
        int[] peerStarts = new int[count];
        int[] peerEnds = new int[count];
        long before = 0;
        int partition = 0;
        for (int size : PARTITIONS) {
            int first = Math.max(from, partition);
            int last = Math.min(to, partition + size);
            if (first == from && first < last) {
                before = (long) from - partition;
            }
            for (int row = first; row < last; row++) {
                starts[row - from] = first - from;
                ends[row - from] = last - from;
                peerStarts[row - from] = row - from;
                peerEnds[row - from] = row - from + 1;
            }
            partition += size;
        }
        return new WindowRows(count, before, starts, ends, peerStarts, peerEnds, starts, peerEnds);
    }

    /** Statistical moments of doubles may differ in the last digits, because states are added in another order. */
    private static void assertEqual(List<Datum> actual, List<Datum> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int row = 0; row < expected.size(); row++) {
            if (expected.get(row) instanceof Datum.OfDouble(double value) && Double.isFinite(value)) {
                assertThat(actual.get(row)).isInstanceOf(Datum.OfDouble.class);
                assertThat(((Datum.OfDouble) actual.get(row)).value())
                        .isCloseTo(value, Offset.offset(1e-9 * Math.abs(value)));
            } else {
                assertThat(actual.get(row)).as("row %d", row).isEqualTo(expected.get(row));
            }
        }
    }

    private static WindowCall.Frame frame() {
        return new WindowCall.Frame(
                WindowCall.Unit.ROWS, new WindowCall.Bound.UnboundedPreceding(), new WindowCall.Bound.CurrentRow());
    }
}
