package io.skep.engine.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.hive.HiveCasts;
import io.skep.engine.function.hive.HiveScalarFunction;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.scalar.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cast between primitive types returns the same results as Hive's class, or is rejected as in Hive. */
class TestCastsAgainstHive {
    private static final int ROWS = 1000;
    private static final List<String> TYPES = List.of(
            "boolean",
            "tinyint",
            "smallint",
            "int",
            "bigint",
            "float",
            "double",
            "decimal(5,2)",
            "decimal(18,0)",
            "decimal(20,4)",
            "decimal(30,10)",
            "string",
            "varchar(3)",
            "varchar(20)",
            "char(4)",
            "binary",
            "date",
            "timestamp",
            "timestamp with local time zone",
            "interval_day_time",
            "interval_year_month");
    private final FunctionRegistry registry = FunctionRegistry.builtIn(
            Map.of("hive.local.time.zone", "US/Pacific", "hive.strict.timestamp.conversion", "false"));

    static Stream<String> pairs() {
        List<String> pairs = new ArrayList<>();
        TYPES.forEach(from -> TYPES.forEach(to -> {
            if (!from.equals(to)) {
                pairs.add(from + " | " + to);
            }
        }));
        return pairs.stream();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void agrees(String pair) {
        SqlType from = TypeParser.parse(pair.substring(0, pair.indexOf(" | ")));
        SqlType to = TypeParser.parse(pair.substring(pair.indexOf(" | ") + 3));
        HiveScalarFunction oracle = oracle(from, to);
        if (oracle == null) {
            return;
        }
        ScalarFunction cast = registry.cast(from, to);
        Vector values = new RandomVectors(pair.hashCode()).vector(from, ROWS);
        Vector expected = oracle.evaluate(new Vector[] {values}, ROWS);
        Vector actual = cast.evaluate(new Vector[] {values}, ROWS).flatten();
        for (int row = 0; row < ROWS; row++) {
            Datum wanted = Values.datum(expected, row);
            if (!Values.datum(actual, row).equals(wanted)) {
                assertThat(Values.datum(actual, row))
                        .as(pair + " of " + Values.datum(values, row))
                        .isEqualTo(wanted);
            }
        }
    }

    private @Nullable HiveScalarFunction oracle(SqlType from, SqlType to) {
        try {
            return new HiveCasts(registry.hive()).cast(from, to);
        } catch (SkepException e) {
            return null;
        }
    }

    @Test
    void nestedValuesAreCastByTheirParts() {
        SqlType from = TypeParser.parse("struct<a:array<int>,b:map<string,int>>");
        SqlType to = TypeParser.parse("struct<x:array<string>,y:map<string,bigint>>");
        Vector values = new RandomVectors(3).vector(from, 50);
        Vector cast = registry.cast(from, to).evaluate(new Vector[] {values}, 50);
        for (int row = 0; row < 50; row++) {
            assertThat(Values.datum(cast, row).toString().replaceAll("\\w+\\[value=|]", ""))
                    .isEqualTo(Values.datum(values, row).toString().replaceAll("\\w+\\[value=|]", ""));
        }
    }
}
