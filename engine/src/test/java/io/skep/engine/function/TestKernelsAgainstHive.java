package io.skep.engine.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionCatalog.ScalarSignature;
import io.skep.engine.function.hive.HiveScalarFunction;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.scalar.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Native kernels give what Hive's classes give, on random values. */
class TestKernelsAgainstHive {
    private static final int ROWS = 1500;
    private static final Map<String, String> SETTINGS = Map.of("hive.local.time.zone", "US/Pacific");
    private final FunctionRegistry registry = FunctionRegistry.builtIn(SETTINGS);
    private final HiveFunctionCatalog catalog = HiveFunctionCatalog.builtIn(SETTINGS);

    static Stream<String> binary() {
        List<String> calls = new ArrayList<>();
        List<String> same = List.of(
                "boolean",
                "tinyint",
                "int",
                "bigint",
                "float",
                "double",
                "string",
                "binary",
                "date",
                "timestamp",
                "decimal(10,2)",
                "decimal(30,5)",
                "interval_day_time",
                "interval_year_month",
                "char(3)",
                "varchar(4)");
        for (String operator : List.of("=", "<>", "<", "<=", ">", ">=", "<=>")) {
            same.forEach(type -> calls.add(operator + " | " + type + " | " + type));
            calls.add(operator + " | int | bigint");
            calls.add(operator + " | smallint | double");
            calls.add(operator + " | decimal(10,2) | decimal(20,8)");
            calls.add(operator + " | int | decimal(12,4)");
        }
        List<String> numbers =
                List.of("tinyint", "smallint", "int", "bigint", "float", "double", "decimal(5,2)", "decimal(12,4)");
        for (String operator : List.of("+", "-", "*", "/", "%", "pmod")) {
            for (String left : numbers) {
                numbers.forEach(right -> calls.add(operator + " | " + left + " | " + right));
            }
            calls.add(operator + " | string | int");
            calls.add(operator + " | decimal(18,0) | decimal(18,6)");
            calls.add(operator + " | decimal(22,4) | decimal(9,2)");
        }
        return calls.stream();
    }

    static Stream<String> unary() {
        return Stream.of(
                "not | boolean",
                "isnull | int",
                "isnotnull | string",
                "istrue | boolean",
                "isfalse | boolean",
                "isnottrue | boolean",
                "isnotfalse | boolean");
    }

    @ParameterizedTest
    @MethodSource({"binary", "unary"})
    void agrees(String call) {
        String[] parts = call.split(" \\| ");
        List<Argument> arguments = new ArrayList<>();
        List<Vector> raw = new ArrayList<>();
        RandomVectors vectors = new RandomVectors(call.hashCode());
        for (int i = 1; i < parts.length; i++) {
            SqlType type = TypeParser.parse(parts[i]);
            arguments.add(Argument.of(type));
            raw.add(vectors.vector(type, ROWS));
        }
        check(call, parts[0], arguments, raw);
    }

    private void check(String call, String name, List<Argument> arguments, List<Vector> raw) {
        ScalarSignature signature = catalog.scalar(name, arguments);
        GenericUDF udf = Objects.requireNonNull(registry.hive().scalar(name));
        HiveScalarFunction oracle = new HiveScalarFunction(
                name,
                udf,
                FunctionRegistry.hiveArguments(arguments),
                null,
                registry.hive().session());
        assertThat(signature.type()).isEqualTo(oracle.type());
        List<Argument> parameters = new ArrayList<>();
        Vector[] cast = new Vector[arguments.size()];
        for (int i = 0; i < cast.length; i++) {
            SqlType parameter = signature.parameterTypes().get(i);
            parameters.add(new Argument(parameter, Optional.empty()));
            cast[i] = registry.cast(arguments.get(i).type(), parameter)
                    .evaluate(new Vector[] {raw.get(i)}, ROWS)
                    .flatten();
        }
        ScalarFunction kernel = registry.scalar(signature.function(), parameters, signature.type());
        assertThat(kernel).isNotInstanceOf(HiveScalarFunction.class);
        Vector expected = oracle.evaluate(raw.toArray(Vector[]::new), ROWS);
        Vector actual = kernel.evaluate(cast, ROWS);
        for (int row = 0; row < ROWS; row++) {
            Datum wanted = Values.datum(expected, row);
            if (!Values.datum(actual, row).equals(wanted)) {
                int at = row;
                List<Datum> values =
                        raw.stream().map(vector -> Values.datum(vector, at)).toList();
                assertThat(Values.datum(actual, row)).as(call + " of " + values).isEqualTo(wanted);
            }
        }
    }
}
