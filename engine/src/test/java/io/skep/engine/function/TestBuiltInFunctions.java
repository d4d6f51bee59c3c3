package io.skep.engine.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.aggregate.Accumulator;
import io.skep.engine.aggregate.AggregateFunctionEntry;
import io.skep.engine.aggregate.WindowFunction;
import io.skep.engine.aggregate.WindowFunctionEntry;
import io.skep.engine.aggregate.WindowRows;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionCatalog.ScalarSignature;
import io.skep.engine.function.entry.EntriesByName;
import io.skep.engine.function.entry.FunctionDocumentation;
import io.skep.engine.function.entry.FunctionEntry;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.FunctionOrigin;
import io.skep.engine.function.entry.Nullability;
import io.skep.engine.function.hive.HiveFunctions;
import io.skep.engine.function.hive.HiveScalarFunction;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.scalar.ScalarFunctionEntry;
import io.skep.engine.plan.WindowCall;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What entries say is true: names and origins are compared with Hive's registry, nullability with kernels. */
class TestBuiltInFunctions {
    private static final Map<String, String> SETTINGS = Map.of("hive.local.time.zone", "UTC");

    /** Types of arguments. Each kernel takes at least one of these lists. */
    private static final List<String> ARGUMENTS = List.of(
            "int",
            "boolean",
            "double",
            "string",
            "date",
            "timestamp",
            "int int",
            "double double",
            "decimal(30,2) decimal(30,2)",
            "string string",
            "string int",
            "date int",
            "date date",
            "array<int> int",
            "struct<a:int> int",
            "string string string",
            "string string bigint");

    private final HiveFunctionCatalog catalog = HiveFunctionCatalog.builtIn(SETTINGS);
    private final FunctionRegistry registry = FunctionRegistry.builtIn(SETTINGS);

    static List<FunctionEntry> entries() {
        List<FunctionEntry> entries = new ArrayList<>(scalars());
        entries.addAll(aggregates());
        entries.addAll(windows());
        return entries;
    }

    static List<ScalarFunctionEntry> scalars() {
        return BuiltInFunctions.SCALARS.all();
    }

    static List<AggregateFunctionEntry> aggregates() {
        return BuiltInFunctions.AGGREGATES.all();
    }

    static List<WindowFunctionEntry> windows() {
        return BuiltInFunctions.WINDOWS.all().stream()
                .filter(entry -> entry.metadata().isCallable())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void originsAndAliasesAreThoseOfHivesRegistry(FunctionEntry entry) {
        FunctionMetadata metadata = entry.metadata();
        Set<String> names = new TreeSet<>(metadata.names());
        for (String name : metadata.names()) {
            boolean known = HiveFunctions.builtIn(name) != null;
            assertThat(known).as(name).isEqualTo(metadata.origin() == FunctionOrigin.HIVE);
            if (known) {
                Set<String> synonyms = HiveFunctions.synonyms(name);
                synonyms.add(name);
                assertThat(synonyms).containsAll(names);
            }
            assertThat(catalog.names().contains(name)).as(name).isEqualTo(metadata.isCallable());
            assertThat(catalog.kind(name).isPresent()).as(name).isEqualTo(metadata.isCallable());
            assertThat(catalog.description(name, true).isPresent()).as(name).isEqualTo(metadata.isCallable());
        }
    }

    @ParameterizedTest
    @MethodSource("scalars")
    void nullsOfScalarFunctions(ScalarFunctionEntry entry) {
        String name = entry.metadata().names().getFirst();
        int kernels = 0;
        for (String arguments : ARGUMENTS) {
            List<SqlType> types =
                    Arrays.stream(arguments.split(" ")).map(TypeParser::parse).toList();
            Optional<ScalarFunction> kernel = kernel(name, types);
            if (kernel.isPresent()) {
                kernels++;
                checkNulls(entry.metadata(), kernel.get(), types);
            }
        }
        // Those that look at arguments only where they are needed have none.
        assertThat(kernels > 0 || entry.metadata().nullability() == Nullability.BY_VALUE)
                .as(name)
                .isTrue();
    }

    private Optional<ScalarFunction> kernel(String name, List<SqlType> types) {
        try {
            ScalarSignature signature = switch (name) {
                case "$field" -> new ScalarSignature(name, types, PrimitiveType.INT, true);
                case "is_distinct_from" -> new ScalarSignature(name, types, PrimitiveType.BOOLEAN, true);
                default -> catalog.scalar(name, types.stream().map(Argument::of).toList());
            };
            boolean asTheyAre = signature.parameterTypes().equals(types);
            if (!asTheyAre || name.equals("$field") && !(types.getFirst() instanceof StructType)) {
                return Optional.empty();
            }
            Optional<Datum> index = name.equals("$field") ? Optional.of(new Datum.OfLong(0)) : Optional.empty();
            ScalarFunction kernel = registry.scalar(
                    name, types.stream().map(type -> new Argument(type, index)).toList(), signature.type());
            return kernel instanceof HiveScalarFunction ? Optional.empty() : Optional.of(kernel);
        } catch (SkepException doesNotTakeThem) {
            return Optional.empty();
        }
    }

    /** All combinations of some values and NULL. */
    private static void checkNulls(FunctionMetadata metadata, ScalarFunction kernel, List<SqlType> types) {
        List<List<Datum>> combinations = List.of(List.of());
        for (SqlType type : types) {
            List<List<Datum>> longer = new ArrayList<>();
            for (List<Datum> row : combinations) {
                for (Datum value : values(type)) {
                    List<Datum> next = new ArrayList<>(row);
                    next.add(value);
                    longer.add(next);
                }
            }
            combinations = longer;
        }
        Vector[] columns = new Vector[types.size()];
        for (int i = 0; i < columns.length; i++) {
            VectorAppender column = VectorAppender.of(types.get(i));
            for (List<Datum> row : combinations) {
                row.get(i).appendTo(column, types.get(i));
            }
            columns[i] = column.build();
        }
        Vector results = kernel.evaluate(columns, combinations.size()).flatten();
        for (int row = 0; row < combinations.size(); row++) {
            String call = metadata.names().getFirst() + combinations.get(row);
            if (metadata.nullability() == Nullability.NEVER_NULL) {
                assertThat(results.isNull(row)).as(call).isFalse();
            } else if (metadata.nullability() == Nullability.NULL_ON_NULL
                    && values(call, combinations.get(row)).contains(Datum.NULL)) {
                assertThat(results.isNull(row)).as(call).isTrue();
            }
        }
    }

    /** The index of a field is a constant of the plan. */
    private static List<Datum> values(String call, List<Datum> arguments) {
        return call.startsWith("$field") ? arguments.subList(0, 1) : arguments;
    }

    /** Texts are patterns with one group too; numbers count from one. */
    private static List<Datum> values(SqlType type) {
        if (type == PrimitiveType.BOOLEAN) {
            return List.of(Datum.NULL, new Datum.OfLong(0), new Datum.OfLong(1));
        }
        return switch (type.vectorKind()) {
            case LONG -> List.of(new Datum.OfLong(1), Datum.NULL, new Datum.OfLong(2));
            case DOUBLE -> List.of(new Datum.OfDouble(0), new Datum.OfDouble(1.5), Datum.NULL);
            case BYTES -> List.of(Datum.ofText("(a)"), Datum.NULL, Datum.ofText("x(a)"));
            case TIMESTAMP -> List.of(Datum.NULL, new Datum.OfTimestamp(1, 2));
            case DECIMAL128 -> List.of(new Datum.OfDecimal(BigInteger.TWO), Datum.NULL);
            case LIST, STRUCT -> List.of(new Datum.OfList(List.of(new Datum.OfLong(3))), Datum.NULL);
            case MAP, UNION -> List.of(Datum.NULL);
        };
    }

    @ParameterizedTest
    @MethodSource("aggregates")
    void nullsOfAggregateFunctions(AggregateFunctionEntry entry) {
        String name = entry.metadata().names().getFirst();
        SqlType type =
                entry.types().of(List.of(PrimitiveType.INT)).isPresent() ? PrimitiveType.INT : PrimitiveType.BOOLEAN;
        AggregateSignature signature = catalog.aggregate(name, List.of(Argument.of(type)), false, false);
        SqlType parameter = signature.parameterTypes().getFirst();
        Accumulator accumulator = new AggregateFunctions(registry)
                .of(signature.function(), List.of(parameter), false, signature.stateType(), signature.type())
                .newAccumulator();
        accumulator.ensureGroups(3);
        accumulator.add(new int[] {1}, new Vector[] {Datum.NULL.toVector(parameter)}, 1);
        Vector one = registry.cast(PrimitiveType.INT, parameter)
                .evaluate(new Vector[] {new Datum.OfLong(1).toVector(PrimitiveType.INT)}, 1);
        accumulator.add(new int[] {2}, new Vector[] {one.flatten()}, 1);
        Vector results = accumulator.results(0, 3);
        boolean never = entry.metadata().nullability() == Nullability.NEVER_NULL;
        if (entry.metadata().nullability() != Nullability.BY_VALUE) {
            assertThat(results.isNull(0)).as("no rows").isEqualTo(!never);
            assertThat(results.isNull(1)).as("no values").isEqualTo(!never);
        }
        assertThat(results.isNull(2) && never).isFalse();
    }

    @ParameterizedTest
    @MethodSource("windows")
    void framesAndNullsOfWindowFunctions(WindowFunctionEntry entry) {
        String name = entry.metadata().names().getFirst();
        List<Argument> arguments = List.of(Argument.of(PrimitiveType.INT));
        AggregateSignature signature = catalog.window(name, arguments, false);
        WindowCall.Frame frame = new WindowCall.Frame(
                WindowCall.Unit.ROWS, new WindowCall.Bound.UnboundedPreceding(), new WindowCall.Bound.CurrentRow());
        WindowFunction kernel = new WindowFunctions(registry)
                .of(new WindowCall(
                        name, false, false, List.of(0), signature.parameterTypes(), frame, signature.type()));
        assertThat(kernel.framed()).isEqualTo(entry.framed());
        int[] zero = {0};
        int[] one = {1};
        Vector[] values = {new LongVector(new long[] {1}, null, 1)};
        Vector results = kernel.evaluate(values, new WindowRows(1, 0, zero, one, zero, one, zero, one));
        assertThat(results.isNull(0) && entry.metadata().nullability() == Nullability.NEVER_NULL)
                .isFalse();
    }

    @Test
    void aNameThatStandsTwiceIsRefused() {
        ScalarFunctionEntry first = scalars().getFirst();
        assertThatThrownBy(() -> new EntriesByName<>(List.of(first, first)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + first.metadata().names().getFirst() + "'");
    }

    @Test
    void anEntryIsWhole() {
        assertThatThrownBy(() -> FunctionMetadata.ofHive(Nullability.NULL_ON_NULL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "Upper"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FunctionMetadata(
                        List.of("new"), FunctionOrigin.SKEP, Nullability.NULL_ON_NULL, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FunctionDocumentation("without a name", ""))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
