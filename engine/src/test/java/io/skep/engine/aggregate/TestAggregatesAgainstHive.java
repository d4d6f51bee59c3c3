package io.skep.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.HiveFunctionCatalog;
import io.skep.engine.function.RandomVectors;
import io.skep.engine.function.hive.HiveAggregates;
import io.skep.engine.function.hive.HiveArgument;
import io.skep.engine.function.scalar.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Native accumulators return the same results and types as Hive's evaluators, regardless of how states are passed. */
class TestAggregatesAgainstHive {
    private static final int ROWS = 400;
    private static final int GROUPS = 7;
    private final FunctionRegistry registry = FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC"));
    private final HiveFunctionCatalog catalog = HiveFunctionCatalog.builtIn(Map.of("hive.local.time.zone", "UTC"));
    private final HiveAggregates hive = new HiveAggregates(registry.hive());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "count int",
                "count string",
                "sum tinyint",
                "sum smallint",
                "sum int",
                "sum bigint",
                "sum float",
                "sum double",
                "sum decimal(5,2)",
                "sum decimal(18,4)",
                "sum decimal(30,10)",
                "sum decimal(38,0)",
                "avg tinyint",
                "avg int",
                "avg bigint",
                "avg double",
                "avg decimal(5,2)",
                "avg decimal(12,2)",
                "avg decimal(20,10)",
                "avg decimal(24,10)",
                "min int",
                "max bigint",
                "min boolean",
                "max double",
                "min double",
                "min float",
                "min string",
                "max string",
                "max char(5)",
                "min varchar(7)",
                "max binary",
                "min date",
                "max timestamp",
                "min decimal(10,2)",
                "max decimal(30,5)",
                "max interval_day_time",
                "min interval_year_month",
                "variance int",
                "var_samp bigint",
                "stddev smallint",
                "stddev_samp decimal(10,2)",
                "var_pop decimal(20,3)"
            })
    void agrees(String what) {
        String name = what.substring(0, what.indexOf(' '));
        SqlType type = TypeParser.parse(what.substring(what.indexOf(' ') + 1));
        Argument argument = Argument.of(type);
        HiveAggregates.Bound bound =
                new HiveAggregates.Bound(name, List.of(new HiveArgument(type, null)), false, false);
        AggregateSignature signature = catalog.aggregate(name, List.of(argument), false, false);
        assertThat(signature.type()).isEqualTo(hive.type(bound));
        SqlType parameter = signature.parameterTypes().getFirst();
        AggregateFunction function = new AggregateFunctions(registry)
                .of(name, List.of(parameter), false, signature.stateType(), signature.type());
        assertThat(function).isInstanceOf(NativeAggregate.class);
        AggregateFunction oracle = new HiveAggregate(hive, bound, hive.stateType(bound), hive.type(bound));
        RandomVectors vectors = new RandomVectors(what.hashCode());
        Vector raw = vectors.vector(type, ROWS);
        Vector cast = registry.cast(type, parameter)
                .evaluate(new Vector[] {raw}, ROWS)
                .flatten();
        int[] groups = new Random(1).ints(ROWS, 0, GROUPS).toArray();
        List<Datum> expected = run(oracle, groups, raw, false);
        assertSame(run(function, groups, cast, false), expected, signature.type());
        if (!isNearTheLimit(type)) {
            assertSame(run(function, groups, cast, true), expected, signature.type());
        }
    }

    /** A thousand values of a kilobyte use at least a megabyte, in any step. */
    @ParameterizedTest
    @ValueSource(strings = {"collect_list", "collect_set"})
    void whatCollectsCountsWhatItHolds(String name) {
        HiveAggregates.Bound bound = new HiveAggregates.Bound(
                name, List.of(new HiveArgument(TypeParser.parse("string"), null)), false, false);
        AggregateFunction function = new HiveAggregate(hive, bound, hive.stateType(bound), hive.type(bound));
        int rows = 1000;
        byte[] data = new byte[rows << 10];
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        for (int i = 0; i < rows; i++) {
            offsets[i] = i << 10;
            lengths[i] = 1 << 10;
            data[i << 10] = (byte) i;
            data[(i << 10) + 1] = (byte) (i >> 8);
        }
        Vector texts = new BytesVector(data, offsets, lengths, null, rows);
        Accumulator first = function.newAccumulator();
        first.ensureGroups(1);
        first.add(new int[rows], new Vector[] {texts}, rows);
        assertThat(first.retainedBytes()).isBetween(1L << 20, 4L << 20);
        Accumulator second = function.newAccumulator();
        second.ensureGroups(1);
        second.merge(new int[1], first.states(0, 1), 1);
        assertThat(second.retainedBytes()).isBetween(1L << 20, 4L << 20);
        first.close();
        second.close();
    }

    /** Partial sums of such decimals may have more digits than a state can hold. */
    private static boolean isNearTheLimit(SqlType type) {
        return type instanceof DecimalType decimal && decimal.precision() == DecimalType.MAX_PRECISION;
    }

    /** Uses one more group than there are rows for, so that an empty group is tested too. */
    private static List<Datum> run(AggregateFunction function, int[] groups, Vector values, boolean partial) {
        Accumulator accumulator = function.newAccumulator();
        accumulator.ensureGroups(GROUPS + 1);
        if (!partial) {
            accumulator.add(groups, new Vector[] {values}, ROWS);
        } else {
            int half = ROWS / 2;
            int[] identity = new int[GROUPS + 1];
            Arrays.setAll(identity, i -> i);
            for (int part = 0; part < 2; part++) {
                Accumulator first = function.newAccumulator();
                first.ensureGroups(GROUPS + 1);
                int[] ids = Arrays.copyOfRange(groups, part * half, part * half + half);
                first.add(ids, new Vector[] {values.slice(part * half, half)}, half);
                accumulator.merge(identity, first.states(0, GROUPS + 1), GROUPS + 1);
                first.close();
            }
        }
        Vector results = accumulator.results(0, GROUPS + 1);
        assertThat(accumulator.retainedBytes()).isPositive();
        accumulator.close();
        List<Datum> list = new ArrayList<>();
        for (int i = 0; i < results.length(); i++) {
            list.add(Values.datum(results, i));
        }
        return list;
    }

    private static void assertSame(List<Datum> actual, List<Datum> expected, SqlType type) {
        for (int i = 0; i < expected.size(); i++) {
            if (actual.get(i) instanceof Datum.OfDouble a && expected.get(i) instanceof Datum.OfDouble e) {
                if (Double.compare(a.value(), e.value()) != 0) {
                    assertThat(a.value()).isCloseTo(e.value(), org.assertj.core.data.Percentage.withPercentage(1e-8));
                }
            } else {
                assertThat(actual.get(i)).as("group " + i + " of type " + type).isEqualTo(expected.get(i));
            }
        }
    }

    @Test
    void otherAggregatesRunThroughHivesClasses() {
        SqlType integer = TypeParser.parse("int");
        AggregateSignature signature = catalog.aggregate(
                "percentile_approx",
                List.of(
                        Argument.of(integer),
                        new Argument(TypeParser.parse("double"), java.util.Optional.of(new Datum.OfDouble(0.5)))),
                false,
                false);
        assertThat(signature.function()).isEqualTo("percentile_approx(1=0.5)");
        AggregateFunction function = new AggregateFunctions(registry)
                .of(
                        signature.function(),
                        List.of(integer, TypeParser.parse("double")),
                        false,
                        signature.stateType(),
                        signature.type());
        Accumulator accumulator = function.newAccumulator();
        accumulator.ensureGroups(1);
        Vector numbers = new io.skep.common.vector.LongVector(new long[] {1, 2, 3, 4}, null, 4);
        Vector halves = new io.skep.common.vector.DoubleVector(new double[] {0.5, 0.5, 0.5, 0.5}, null, 4);
        accumulator.addAll(0, new Vector[] {numbers, halves}, 4);
        assertThat(Values.datum(accumulator.results(0, 1), 0)).isEqualTo(new Datum.OfDouble(2.0));
    }

    @Test
    void aSumThatDoesNotFitIsNull() {
        DecimalType type = new DecimalType(38, 0);
        Accumulator accumulator = new DecimalSumAccumulator(type, false);
        accumulator.ensureGroups(1);
        Datum large = new Datum.OfDecimal(java.math.BigInteger.TEN.pow(38).subtract(java.math.BigInteger.ONE));
        accumulator.addAll(0, new Vector[] {large.toVector(type)}, 1);
        accumulator.addAll(0, new Vector[] {large.toVector(type)}, 1);
        assertThat(accumulator.results(0, 1).isNull(0)).isTrue();
    }
}
