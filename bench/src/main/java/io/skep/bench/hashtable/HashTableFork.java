package io.skep.bench.hashtable;

import io.skep.bench.process.ProcessUse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Runs one contender in a separate JVM, so that its results do not contain another contender's profile or garbage. */
public final class HashTableFork {
    static final String RESULT = "result ";
    static final String PEAK = "peak ";

    private HashTableFork() {}

    static Function<Keys, Contender> contender(boolean join, String name) {
        return switch (name) {
            case "skep" -> join ? SkepTables.Join::new : SkepTables.Aggregation::new;
            case "operators" -> join ? SkepOperators.Join::new : SkepOperators.Aggregation::new;
            case "HashMap" -> join ? MapJoin.Boxed::new : MapAggregation.Boxed::new;
            case "fastutil" -> join ? MapJoin.Fastutil::new : MapAggregation.Fastutil::new;
            case "DuckDB" -> keys -> new DuckDbTable(keys, join);
            default -> throw new IllegalArgumentException("no contender " + name);
        };
    }

    /** Arguments: kind, contender, then rows, duplicates in percent and probes of each case. */
    public static void main(String[] arguments) throws IOException {
        for (int i = 2; i < arguments.length; i += 3) {
            Measurement.Case next = new Measurement.Case(
                    arguments[0],
                    arguments[1],
                    Integer.parseInt(arguments[i]),
                    Integer.parseInt(arguments[i + 1]),
                    Integer.parseInt(arguments[i + 2]));
            try (Contender contender = contender(next.join(), arguments[1]).apply(next.keys())) {
                System.out.println(RESULT + Measurement.take(next, contender).line());
            }
        }
        System.out.println(PEAK + ProcessUse.peakBytes());
    }

    static List<String> arguments(List<Measurement.Case> cases) {
        List<String> arguments = new ArrayList<>();
        arguments.add(cases.getFirst().kind());
        arguments.add(cases.getFirst().contender());
        for (Measurement.Case next : cases) {
            arguments.add(Integer.toString(next.rows()));
            arguments.add(Integer.toString(next.duplicatePercent()));
            arguments.add(Integer.toString(next.probes()));
        }
        return arguments;
    }
}
