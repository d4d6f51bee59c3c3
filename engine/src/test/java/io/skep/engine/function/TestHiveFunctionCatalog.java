package io.skep.engine.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionCatalog.Kind;
import io.skep.engine.function.FunctionCatalog.ScalarSignature;
import io.skep.engine.function.FunctionCatalog.TableSignature;
import io.skep.engine.function.scalar.Values;
import io.skep.engine.function.table.TableFunction;
import io.skep.engine.plan.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFReflect;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFUpper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestHiveFunctionCatalog {
    private static final Map<String, String> SETTINGS =
            Map.of("hive.local.time.zone", "US/Pacific", "hive.strict.timestamp.conversion", "false");
    private final HiveFunctionCatalog catalog = HiveFunctionCatalog.builtIn(SETTINGS);
    private final FunctionRegistry registry = FunctionRegistry.builtIn(SETTINGS);

    @Test
    void namesAreHives() {
        assertThat(catalog.names()).hasSizeGreaterThan(450).contains("+", "between", "upper", "explode", "case", "sum");
        for (String name : catalog.names()) {
            if (!name.equals("case")) {
                assertThat(catalog.kind(name)).as(name).isPresent();
            }
        }
        assertThat(catalog.kind("sum")).contains(Kind.AGGREGATE);
        assertThat(catalog.kind("explode")).contains(Kind.TABLE);
        assertThat(catalog.kind("lag")).contains(Kind.WINDOW);
        assertThat(catalog.kind("upper")).contains(Kind.SCALAR);
        assertThat(catalog.kind("nonesuch")).isEmpty();
        assertThat(catalog.description("upper", false).orElseThrow()).startsWith("upper(str) - ");
        assertThat(catalog.description("upper", true).orElseThrow())
                .contains("\nSynonyms: ucase\nExample:")
                .endsWith("GenericUDFUpper\nFunction type:BUILTIN");
    }

    @Test
    void unknownNamesComeWithANearOne() {
        assertThatThrownBy(() -> catalog.scalar("uper", List.of(Argument.of(PrimitiveType.STRING))))
                .isInstanceOfSatisfying(SkepException.class, e -> {
                    assertThat(e.code()).isEqualTo(StandardErrorCode.FUNCTION_NOT_FOUND);
                    assertThat(e.hint().orElseThrow()).contains("upper");
                });
        assertThatThrownBy(() -> catalog.scalar("date_add", List.of(Argument.of(PrimitiveType.BOOLEAN))))
                .isInstanceOf(SkepException.class);
    }

    @Test
    void hintsDoNotNameTheFunctionItself() {
        for (String name : List.of("noop", "matchpath")) {
            assertThat(catalog.kind(name)).contains(Kind.PARTITIONED);
        }
        List<Argument> text = List.of(Argument.of(PrimitiveType.STRING));
        assertThatThrownBy(() -> catalog.table("upper", text)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.FUNCTION_NOT_FOUND);
            assertThat(e.hint().orElse("")).doesNotContain("upper");
        });
        assertThatThrownBy(() -> catalog.scalar("nop", text))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.hint().orElse("")).doesNotContain("noop"));
    }

    @Test
    void userFunctionsNameTheirClass() {
        HiveFunctionCatalog session = new HiveFunctionCatalog(
                SETTINGS,
                getClass().getClassLoader(),
                Map.of("shout", GenericUDFUpper.class.getName()),
                FunctionPermissions.ALL);
        assertThat(session.names()).contains("shout");
        assertThat(session.kind("shout")).contains(Kind.SCALAR);
        ScalarSignature signature = session.scalar("shout", List.of(Argument.of(PrimitiveType.STRING)));
        assertThat(signature.function()).isEqualTo("shout@" + GenericUDFUpper.class.getName());
        Vector result = registry.scalar(
                        signature.function(), List.of(Argument.of(PrimitiveType.STRING)), PrimitiveType.STRING)
                .evaluate(new Vector[] {Datum.ofText("a").toVector(PrimitiveType.STRING)}, 1);
        assertThat(Values.datum(result, 0)).hasToString("A");
        assertThatThrownBy(() -> HiveFunctionCatalog.kindOfClass(String.class)).isInstanceOf(SkepException.class);
    }

    @Test
    void functionsThatHiveLacks() {
        assertThat(catalog.names()).contains("starts_with", "split_part", "bool_and", "every", "bool_or");
        assertThat(catalog.kind("starts_with")).contains(Kind.SCALAR);
        assertThat(catalog.kind("every")).contains(Kind.AGGREGATE);
        assertThat(catalog.description("starts_with", false).orElseThrow()).startsWith("starts_with(text, prefix) - ");
        assertThat(catalog.description("every", true).orElseThrow())
                .contains("\nSynonyms: bool_and\n")
                .endsWith("\nFunction type:BUILTIN");
        ScalarSignature signature = catalog.scalar(
                "split_part",
                List.of(
                        Argument.of(TypeParser.parse("varchar(3)")),
                        Argument.of(PrimitiveType.VOID),
                        Argument.of(PrimitiveType.SMALLINT)));
        assertThat(signature.parameterTypes())
                .containsExactly(PrimitiveType.STRING, PrimitiveType.STRING, PrimitiveType.BIGINT);
        assertThatThrownBy(() -> catalog.scalar("starts_with", List.of(Argument.of(PrimitiveType.INT))))
                .hasMessage("starts_with does not take (int)")
                .isInstanceOfSatisfying(SkepException.class, e -> {
                    assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_ARGUMENT);
                    assertThat(e.hint().orElseThrow()).startsWith("starts_with(text, prefix) - ");
                });
    }

    @Test
    void userFunctionsHideBuiltInOnes() {
        HiveFunctionCatalog session = new HiveFunctionCatalog(
                SETTINGS,
                getClass().getClassLoader(),
                Map.of("substr", GenericUDFUpper.class.getName()),
                FunctionPermissions.ALL);
        SqlType text = TypeParser.parse("varchar(3)");
        ScalarSignature signature = session.scalar("substr", List.of(Argument.of(text)));
        assertThat(signature.function()).isEqualTo("substr@" + GenericUDFUpper.class.getName());
        assertThat(signature.parameterTypes()).containsExactly(text);
        assertThat(signature.type()).isEqualTo(text);
    }

    @Test
    void functionsThatAreSwitchedOff() {
        HiveFunctionCatalog careful = new HiveFunctionCatalog(
                SETTINGS,
                getClass().getClassLoader(),
                Map.of("mine", GenericUDFReflect.class.getName(), "abs", GenericUDFUpper.class.getName()),
                FunctionPermissions.of(
                        Map.of("hive.server2.builtin.udf.blacklist", "Reflect, java_method,+,abs,sum,row_number")));
        for (String name : List.of("reflect", "java_method", "mine", "sum", "row_number")) {
            assertThatThrownBy(() -> careful.kind(name)).isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
                assertThat(e.getMessage()).isEqualTo("UDF " + name + " is not allowed");
            });
            assertThatThrownBy(() -> careful.scalar(name, List.of())).hasMessage("UDF " + name + " is not allowed");
        }
        // Hive's operators stay enabled, and so does a user's function with the name of a disabled function. All are
        // listed.
        assertThat(careful.kind("+")).contains(Kind.SCALAR);
        assertThat(careful.kind("abs")).contains(Kind.SCALAR);
        assertThat(careful.names()).contains("reflect", "sum");
    }

    @Test
    void functionsOfAWhitelist() {
        FunctionPermissions few = FunctionPermissions.of(Map.of("hive.server2.builtin.udf.whitelist", "ABS, reflect"));
        few.check("abs");
        assertThatThrownBy(() -> few.check("upper")).hasMessage("UDF upper is not allowed");
        assertThatThrownBy(() -> few.check("starts_with")).hasMessage("UDF starts_with is not allowed");
        // The default blacklist applies in addition to a whitelist.
        assertThatThrownBy(() -> few.check("reflect")).hasMessage("UDF reflect is not allowed");
        assertThatThrownBy(() -> FunctionPermissions.of(Map.of()).check("in_file"))
                .hasMessage("UDF in_file is not allowed");
        FunctionPermissions.of(Map.of("hive.server2.builtin.udf.blacklist", ","))
                .check("in_file");
    }

    @Test
    void tableFunctionsGiveRows() {
        SqlType array = new ArrayType(PrimitiveType.INT);
        TableSignature signature = catalog.table("posexplode", List.of(Argument.of(array)));
        assertThat(signature.columnNames()).containsExactly("pos", "val");
        assertThat(signature.columnTypes()).containsExactly(PrimitiveType.INT, PrimitiveType.INT);
        TableFunction function = registry.table(signature.function(), List.of(Argument.of(array)));
        Datum two = new Datum.OfList(List.of(new Datum.OfLong(7), new Datum.OfLong(8)));
        function.start(new Vector[] {two.toVector(array)}, 1);
        TableFunction.Rows rows = function.next();
        assertThat(rows.count()).isEqualTo(2);
        assertThat(rows.completed()).isEqualTo(1);
        assertThat(Values.datum(rows.columns().get(1), 1)).isEqualTo(new Datum.OfLong(8));
        assertThat(function.finish().count()).isZero();
    }

    /** Calls with the results and types of Hive 4.0.1 in the zone US/Pacific. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "round | decimal(2,1) 2.5 -> 3 : decimal(2,0)",
                "round | decimal(3,2) 2.55 | int 1 -> 2.6 : decimal(3,1)",
                "round | double 2.5 -> 3.0 : double",
                "round | int 1250 | int -2 -> 1300 : int",
                "bround | double 2.5 -> 2.0 : double",
                "floor | decimal(2,1) -2.5 -> -3 : decimal(2,0)",
                "floor | double 2.5 -> 2 : bigint",
                "ceil | decimal(10,4) 2.1 -> 3 : decimal(7,0)",
                "abs | tinyint -5 -> 5 : int",
                "abs | string -5 -> 5.0 : double",
                "+ | tinyint 127 | tinyint 1 -> -128 : tinyint",
                "+ | string 1 | int 1 -> 2.0 : double",
                "/ | int 5 | int 2 -> 2.5 : double",
                "/ | decimal(2,1) 1.5 | decimal(3,2) 1.25 -> 1.200000 : decimal(9,6)",
                "* | decimal(38,10) 1 | decimal(38,10) 1 -> 1.000000 : decimal(38,6)",
                "+ | decimal(20,10) 1 | float 1 -> 2.0 : float",
                "div | int 5 | int 2 -> 2 : bigint",
                "pmod | int 5 | int -3 -> -1 : int",
                "+ | date 2020-01-01 | int 1 -> 2020-01-02 : date",
                "- | date 2020-03-01 | date 2020-01-31 -> 30 00:00:00.000000000 : interval_day_time",
                "+ | date 2020-01-31 | interval_year_month 0-1 -> 2020-02-29 : date",
                "+ | date 2020-01-31 | interval_day_time 1 00:00:00 -> 2020-02-01 00:00:00 : timestamp",
                "date_add | string 2020-01-31 10:00:00 | int 1 -> 2020-02-01 : date",
                "datediff | string 2020-03-01 23:00:00 | timestamp 2020-02-01 22:00:00 -> 29 : int",
                "add_months | string 2020-01-31 | int 1 -> 2020-02-29 : string",
                "months_between | string 2020-03-15 | string 2020-02-14 -> 1.03225806 : double",
                "last_day | string 2020-02-01 -> 2020-02-29 : string",
                "next_day | string 2020-01-01 | string MO -> 2020-01-06 : string",
                "trunc | string 2020-05-17 | string Q -> 2020-04-01 : string",
                "to_date | string 2020-01-01 10:00:00 -> 2020-01-01 : date",
                "year | string 2020-03-04 -> 2020 : int",
                "hour | string 05:06:07 -> 5 : int",
                "weekofyear | string 2020-01-01 -> 1 : int",
                "date_format | string 2020-01-02 | string yyyy/MM/dd -> 2020/01/02 : string",
                "from_unixtime | bigint 0 -> 1969-12-31 16:00:00 : string",
                "from_unixtime | bigint 1577836800 | string yyyy-MM-dd -> 2019-12-31 : string",
                "unix_timestamp | string 2020-01-01 00:00:00 -> 1577865600 : bigint",
                "unix_timestamp | timestamp 2020-01-01 00:00:00 -> 1577865600 : bigint",
                "to_unix_timestamp | string 2020-01-01 00:00:00 -> 1577865600 : bigint",
                "from_utc_timestamp | string 2020-01-01 00:00:00"
                        + " | string America/New_York -> 2019-12-31 19:00:00 : timestamp",
                "floor_week | timestamp 2020-05-17 10:11:12 -> 2020-05-11 00:00:00 : timestamp",
                "concat | varchar(3) a | varchar(4) b -> ab : varchar(7)",
                "concat | string a | int 1 -> a1 : string",
                "concat_ws | string , | string a | string b -> a,b : string",
                "upper | varchar(3) a -> A : varchar(3)",
                "substr | string hello | int -3 | int 2 -> ll : string",
                "instr | string hello | string l -> 3 : int",
                "lpad | string a | int 3 | string xy -> xya : string",
                "regexp_replace | string a1b2 | string [0-9] | string # -> a#b# : string",
                "regexp_extract | string foothebar | string foo(.*?)(bar) | int 1 -> the : string",
                "rlike | string abc | string b -> TRUE : boolean",
                "format_number | double 1234567.891 | int 2 -> 1,234,567.89 : string",
                "md5 | string abc -> 900150983cd24fb0d6963f7d28e17f72 : string",
                "crc32 | string abc -> 891568578 : bigint",
                "get_json_object | string {\"a\":[1,2,{\"b\":\"x\"}]} | string $.a[2].b -> x : string",
                "levenshtein | string kitten | string sitting -> 3 : int",
                "hash | int 1 | string a -> 128 : int",
                "murmur_hash | int 1 | string a -> -907245731 : int",
                "mask | string abcXYZ123 -> xxxXXXnnn : string",
                "conv | string ff | int 16 | int 10 -> 255 : string",
                "greatest | int 1 | decimal(2,1) 2.5 -> 2.5 : decimal(11,1)",
                "least | int 1 | string 2 -> 1.0 : double",
                "nvl | int 1 | decimal(2,1) 2.5 -> 1.0 : decimal(11,1)",
                "coalesce | int 1 | string a -> 1 : string",
                "if | boolean true | int 1 | decimal(2,1) 2.5 -> 1.0 : decimal(11,1)",
                "nullif | int 1 | int 2 -> 1 : int",
                "log | int 2 | int 8 -> 3.0 : double",
                "pow | int 2 | double 0.5 -> 1.4142135623730951 : double",
                "sqrt | int 2 -> 1.4142135623730951 : double",
                "shiftright | int -8 | int 1 -> -4 : int",
                "& | int 7 | int 3 -> 3 : int",
                "negative | decimal(2,1) 2.5 -> -2.5 : decimal(2,1)",
                "width_bucket | int 5 | int 0 | int 10 | int 5 -> 3 : int",
                "soundex | string Miller -> M460 : string",
                "typeof | int 1 -> int : string",
                "reflect | string java.lang.Math | string max | int 2 | int 3 -> 3 : string",
                "xpath_string | string <a><b>1</b></a> | string a/b -> 1 : string"
            })
    void callsGiveWhatHiveGives(String line) {
        String[] sides = line.split(" -> ");
        String[] parts = sides[0].split(" \\| ");
        List<Expression> constants = new ArrayList<>();
        List<Argument> arguments = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            int space = parts[i].indexOf(' ');
            SqlType type = TypeParser.parse(parts[i].substring(0, space));
            Datum value = convert(Datum.ofText(parts[i].substring(space + 1)), PrimitiveType.STRING, type);
            constants.add(new Expression.Constant(value, type));
            arguments.add(new Argument(type, Optional.of(value)));
        }
        ScalarSignature signature = catalog.scalar(parts[0], arguments);
        String result = sides[1].substring(0, sides[1].lastIndexOf(" : "));
        assertThat(signature.type()).isEqualTo(TypeParser.parse(sides[1].substring(sides[1].lastIndexOf(" : ") + 3)));
        List<Expression> cast = new ArrayList<>();
        for (int i = 0; i < constants.size(); i++) {
            cast.add(new Expression.Cast(
                    constants.get(i), signature.parameterTypes().get(i)));
        }
        Expression call = new Expression.Call(signature.function(), cast, signature.type());
        Vector value = new ExpressionCompiler(registry).compile(call).evaluate(Batch.of(1));
        Datum text = convert(Values.datum(value, 0), signature.type(), PrimitiveType.STRING);
        assertThat(text).hasToString(result);
    }

    private Datum convert(Datum value, SqlType from, SqlType to) {
        return Values.datum(registry.cast(from, to).evaluate(new Vector[] {value.toVector(from)}, 1), 0);
    }
}
