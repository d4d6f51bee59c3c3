package io.skep.engine.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionCatalog.ScalarSignature;
import io.skep.engine.function.hive.HiveScalarFunction;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.scalar.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Native kernels return the same results as Hive's classes on random values. */
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
            if (!operator.equals("pmod")) {
                calls.add(operator + " | decimal(38,10) | decimal(38,10)");
                calls.add(operator + " | decimal(38,18) | decimal(10,2)");
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
                "isnotfalse | boolean",
                "negative | tinyint",
                "negative | int",
                "negative | bigint",
                "negative | float",
                "negative | double",
                "negative | decimal(10,2)",
                "negative | decimal(30,2)",
                "upper | string",
                "lower | string",
                "length | string",
                "length | varchar(7)",
                "octet_length | varchar(7)",
                "octet_length | string",
                "levenshtein | string | string",
                "levenshtein | varchar(9) | string",
                "concat | string | string",
                "concat | string | int | date",
                "concat | char(3) | string",
                "year | date",
                "year | timestamp",
                "month | date",
                "month | timestamp",
                "day | date",
                "day | timestamp",
                "quarter | date",
                "quarter | timestamp",
                "hour | timestamp",
                "minute | timestamp",
                "second | timestamp",
                "datediff | date | date",
                "index | array<int> | int",
                "index | array<string> | int",
                "index | map<string,int> | string",
                "index | map<int,array<int>> | int",
                "index | map<decimal(20,2),int> | decimal(20,2)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a%", "%a", "%a%", "a%b", "abc", "", "%", "_", "__", "a_c", "%_b", "%a_c%", "a\\_b", "a\\%b", "\\",
                "a\\b", "%a%b%c%", "h_llo%", "%é%", "_é", "日__", "%.%", "[a]%", "1_", "%-%", "\\\\%", "a%%b", "%_%_%",
                "%__"
            })
    void likeAgrees(String pattern) {
        SqlType string = TypeParser.parse("string");
        Vector constant = new ConstantVector(Datum.ofText(pattern).toVector(string), ROWS).flatten();
        check(
                "like " + pattern,
                "like",
                List.of(Argument.of(string), new Argument(string, Optional.of(Datum.ofText(pattern)))),
                List.of(new RandomVectors(pattern.hashCode()).vector(string, ROWS), constant));
        SqlType varchar = TypeParser.parse("varchar(9)");
        check(
                "varchar like " + pattern,
                "like",
                List.of(Argument.of(varchar), new Argument(string, Optional.of(Datum.ofText(pattern)))),
                List.of(new RandomVectors(pattern.hashCode()).vector(varchar, ROWS), constant));
    }

    private static final List<String> PATTERNS = List.of(
            "a",
            "",
            "^a",
            "b$",
            "[0-9]+",
            "(\\d+)-(\\d+)",
            "(a)|(b)",
            "\\s*",
            "x?",
            ".",
            "é|日",
            "(?i)abc",
            "(.)(.)?",
            "[a-c]+",
            "%",
            "\\.",
            "(a|a)*c",
            "$",
            "^",
            "\\b",
            "(?<=a)b",
            "\\p{L}+");

    static Stream<String> regexes() {
        List<String> calls = new ArrayList<>();
        for (String type : List.of("string", "varchar(9)", "char(9)")) {
            calls.add("regexp | " + type);
            calls.add("rlike | " + type);
            calls.add("split | " + type);
            calls.add("regexp_replace | " + type + " | #");
            calls.add("regexp_replace | " + type + " | ");
            calls.add("regexp_replace | " + type + " | <$0>\\$");
            if (!type.startsWith("char")) {
                calls.add("regexp_extract | " + type);
            }
        }
        return calls.stream();
    }

    /** Tests one pattern for all rows, constant or not, and a different pattern in each row. */
    @ParameterizedTest
    @MethodSource("regexes")
    void regexesAgree(String call) {
        String[] parts = call.split(" \\| ", -1);
        SqlType string = TypeParser.parse("string");
        SqlType type = TypeParser.parse(parts[1]);
        RandomVectors vectors = new RandomVectors(call.hashCode());
        List<Datum> patterns = PATTERNS.stream().<Datum>map(Datum::ofText).toList();
        VectorAppender each = VectorAppender.of(string);
        for (int row = 0; row < ROWS; row++) {
            each.append(patterns.get(row * 7 % patterns.size()).toVector(string), 0);
        }
        List<Argument> arguments = new ArrayList<>(List.of(Argument.of(type), Argument.of(string)));
        List<Vector> raw = new ArrayList<>(List.of(vectors.vector(type, ROWS), each.build()));
        if (parts.length > 2) {
            arguments.add(Argument.of(string));
            raw.add(new ConstantVector(Datum.ofText(parts[2]).toVector(string), ROWS).flatten());
        } else if (parts[0].equals("regexp_extract")) {
            arguments.add(Argument.of(TypeParser.parse("int")));
            raw.add(new LongVector(new long[ROWS], null, ROWS));
        }
        check(call, parts[0], arguments, raw);
        for (Datum pattern : patterns) {
            arguments.set(1, new Argument(string, Optional.of(pattern)));
            raw.set(1, new ConstantVector(pattern.toVector(string), ROWS).flatten());
            check(call + " " + pattern, parts[0], arguments, raw);
        }
    }

    @Test
    void groupsAgree() {
        SqlType string = TypeParser.parse("string");
        for (int group = 1; group <= 2; group++) {
            Vector texts = new RandomVectors(group).vector(string, ROWS);
            Vector pattern = new ConstantVector(Datum.ofText("(\\w)(\\d)?").toVector(string), ROWS).flatten();
            long[] groups = new long[ROWS];
            Arrays.fill(groups, group);
            check(
                    "group " + group,
                    "regexp_extract",
                    List.of(Argument.of(string), Argument.of(string), Argument.of(TypeParser.parse("int"))),
                    List.of(texts, pattern, new LongVector(groups, null, ROWS)));
            check(
                    "the first group",
                    "regexp_extract",
                    List.of(Argument.of(string), Argument.of(string)),
                    List.of(texts, pattern));
        }
    }

    @Test
    void patternsOfLikeThatVaryAgree() {
        SqlType string = TypeParser.parse("string");
        List<String> patterns = List.of("a%", "%b", "_", "%_b%", "", "%", "a\\_b", "a\\%b", "%1%", "__", "é", "\\");
        VectorAppender each = VectorAppender.of(string);
        for (int row = 0; row < ROWS; row++) {
            if (row % 11 == 0) {
                each.appendNull();
            } else {
                each.append(
                        Datum.ofText(patterns.get(row * 7 % patterns.size())).toVector(string), 0);
            }
        }
        check(
                "like",
                "like",
                List.of(Argument.of(string), Argument.of(string)),
                List.of(new RandomVectors(12).vector(string, ROWS), each.build()));
    }

    @Test
    void numbersThatSelectAreSmall() {
        SqlType string = TypeParser.parse("string");
        SqlType integer = TypeParser.parse("int");
        SqlType date = TypeParser.parse("date");
        Random random = new Random(5);
        long[] positions = random.longs(ROWS, -8, 9).toArray();
        long[] counts = random.longs(ROWS, -2, 9).toArray();
        Vector texts = new RandomVectors(6).vector(string, ROWS);
        Vector starts = new LongVector(positions, null, ROWS);
        Vector lengths = new LongVector(counts, null, ROWS);
        check("substr", "substr", List.of(Argument.of(string), Argument.of(integer)), List.of(texts, starts));
        check(
                "substr",
                "substr",
                List.of(Argument.of(string), Argument.of(integer), Argument.of(integer)),
                List.of(texts, starts, lengths));
        SqlType varchar = TypeParser.parse("varchar(9)");
        check(
                "substr of varchar",
                "substr",
                List.of(Argument.of(varchar), Argument.of(integer), Argument.of(integer)),
                List.of(new RandomVectors(6).vector(varchar, ROWS), starts, lengths));
        Vector dates = new RandomVectors(7).vector(date, ROWS);
        check("date_add", "date_add", List.of(Argument.of(date), Argument.of(integer)), List.of(dates, starts));
        check("date_sub", "date_sub", List.of(Argument.of(date), Argument.of(integer)), List.of(dates, lengths));
    }

    @Test
    void fieldsAreReadByIndex() {
        SqlType struct = TypeParser.parse("struct<a:int,b:string>");
        SqlType array = TypeParser.parse("array<struct<a:int,b:string>>");
        Argument index = new Argument(TypeParser.parse("int"), Optional.of(new Datum.OfLong(1)));
        Vector structs = new RandomVectors(8).vector(struct, 100);
        Vector indices = new LongVector(new long[100], null, 100);
        ScalarFunction field =
                registry.scalar("$field", List.of(Argument.of(struct), index), TypeParser.parse("string"));
        Vector actual = field.evaluate(new Vector[] {structs, indices}, 100);
        for (int row = 0; row < 100; row++) {
            Datum value = Values.datum(structs, row);
            assertThat(Values.datum(actual, row))
                    .isEqualTo(
                            value instanceof Datum.OfList fields
                                    ? fields.values().get(1)
                                    : Datum.NULL);
        }
        Vector arrays = new RandomVectors(9).vector(array, 100);
        ScalarFunction fields =
                registry.scalar("$field", List.of(Argument.of(array), index), TypeParser.parse("array<string>"));
        Vector lists = fields.evaluate(new Vector[] {arrays, indices}, 100);
        for (int row = 0; row < 100; row++) {
            if (Values.datum(arrays, row) instanceof Datum.OfList list) {
                List<Datum> wanted = list.values().stream()
                        .map(one -> one instanceof Datum.OfList values
                                ? values.values().get(1)
                                : Datum.NULL)
                        .toList();
                assertThat(Values.datum(lists, row)).isEqualTo(new Datum.OfList(wanted));
            }
        }
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
            parameters.add(new Argument(parameter, arguments.get(i).constant()));
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
