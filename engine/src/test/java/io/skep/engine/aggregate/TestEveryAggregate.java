package io.skep.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.function.FunctionCatalog.AggregateSignature;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionCatalog.Kind;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.HiveFunctionCatalog;
import io.skep.engine.function.RandomVectors;
import io.skep.engine.plan.AggregateCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every aggregate binds to some arguments and runs from rows through states to results. */
class TestEveryAggregate {
    private static final int ROWS = 40;

    /**
     * Functions that need sketches or geometries as input, fail on purpose, or need a library that only the metastore
     * provides.
     */
    private static final Set<String> OTHERS = Set.of(
            "exception_in_vertex_udaf", "compute_bit_vector_fm", "bloom_filter", "st_aggr_convexhull", "st_aggr_union");

    private static final Map<String, SqlType> TYPES = Map.ofEntries(
            Map.entry("int", TypeParser.parse("int")),
            Map.entry("boolean", TypeParser.parse("boolean")),
            Map.entry("double", TypeParser.parse("double")),
            Map.entry("string", TypeParser.parse("string")),
            Map.entry("binary", TypeParser.parse("binary")),
            Map.entry("words", TypeParser.parse("array<array<string>>")),
            Map.entry("half", TypeParser.parse("double")),
            Map.entry("two", TypeParser.parse("int")),
            Map.entry("zero", TypeParser.parse("int")),
            Map.entry("sixteen", TypeParser.parse("int")),
            Map.entry("context", TypeParser.parse("array<string>")),
            Map.entry("float", TypeParser.parse("float")),
            Map.entry("fraction", TypeParser.parse("decimal(1,1)")));

    private static final List<String> CANDIDATES = List.of(
            "int",
            "double",
            "string",
            "int two",
            "double double",
            "int half",
            "double half",
            "words two two",
            "words context two",
            "binary",
            "int two two",
            "int double",
            "string sixteen",
            "float",
            "boolean",
            "fraction int zero zero",
            "");

    private final HiveFunctionCatalog catalog = HiveFunctionCatalog.builtIn(Map.of("hive.local.time.zone", "UTC"));
    private final FunctionRegistry registry = FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC"));

    @Test
    void everyAggregateRuns() {
        List<String> failed = new ArrayList<>();
        for (String name : catalog.names()) {
            boolean sketch = name.startsWith("ds_") && (name.contains("union") || name.contains("intersect"));
            if (catalog.kind(name).filter(kind -> kind == Kind.AGGREGATE).isEmpty()
                    || OTHERS.contains(name)
                    || sketch) {
                continue;
            }
            String why = run(name);
            if (!why.isEmpty()) {
                failed.add(name + ": " + why);
            }
        }
        assertThat(failed).isEmpty();
    }

    /** Returns the reason why the aggregate failed with all candidates, or empty if it ran. */
    private String run(String name) {
        StringBuilder why = new StringBuilder();
        for (String candidate : CANDIDATES) {
            try {
                run(name, candidate.isEmpty() ? List.of() : List.of(candidate.split(" ")));
                return "";
            } catch (SkepException e) {
                why.append(candidate).append(": ").append(e.getMessage()).append("; ");
            }
        }
        return why.toString();
    }

    private void run(String name, List<String> parts) {
        List<Argument> arguments = new ArrayList<>();
        List<Vector> vectors = new ArrayList<>();
        RandomVectors random = new RandomVectors(11);
        Datum words = new Datum.OfList(List.of(Datum.ofText("a"), Datum.ofText("b"), Datum.ofText("a")));
        for (String part : parts) {
            SqlType type = java.util.Objects.requireNonNull(TYPES.get(part));
            Optional<Datum> constant = switch (part) {
                case "half" -> Optional.of(new Datum.OfDouble(0.5));
                case "two" -> Optional.of(new Datum.OfLong(2));
                case "context" -> Optional.of(new Datum.OfList(List.of(Datum.ofText("a"), Datum.NULL)));
                case "zero" -> Optional.of(new Datum.OfLong(0));
                case "sixteen" -> Optional.of(new Datum.OfLong(16));
                case "fraction" -> Optional.of(new Datum.OfLong(5));
                case "words" -> Optional.of(new Datum.OfList(List.of(words)));
                default -> Optional.empty();
            };
            arguments.add(new Argument(type, constant));
            vectors.add(constant.map(value -> new ConstantVector(value.toVector(type), ROWS).flatten())
                    .orElseGet(() -> random.vector(type, ROWS, 0)));
        }
        AggregateSignature signature = catalog.aggregate(name, arguments, false, false);
        List<SqlType> parameters = signature.parameterTypes();
        for (int i = 0; i < vectors.size(); i++) {
            Vector[] one = {vectors.get(i)};
            vectors.set(
                    i,
                    registry.cast(arguments.get(i).type(), parameters.get(i))
                            .evaluate(one, ROWS)
                            .flatten());
        }
        AggregateFunction function = new AggregateFunctions(registry)
                .of(new AggregateCall(
                        signature.function(),
                        false,
                        List.of(),
                        OptionalInt.empty(),
                        parameters,
                        signature.stateType(),
                        signature.type()));
        Accumulator first = function.newAccumulator();
        first.ensureGroups(2);
        first.addAll(0, vectors.toArray(Vector[]::new), ROWS);
        Accumulator second = function.newAccumulator();
        second.ensureGroups(2);
        second.merge(new int[] {0, 1}, first.states(0, 2), 2);
        assertThat(second.results(0, 2).length()).isEqualTo(2);
        assertThat(first.results(0, 1).length()).isEqualTo(1);
        first.close();
        second.close();
    }
}
