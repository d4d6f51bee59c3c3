package io.skep.engine.aggregate;

import io.skep.engine.function.entry.EntriesByName;
import java.util.List;
import java.util.stream.Stream;

/** The list of aggregate functions with entries. Hive has more of them, which run as Hive's classes. */
public final class BuiltInAggregateFunctions {
    public static final EntriesByName<AggregateFunctionEntry> ENTRIES = new EntriesByName<>(Stream.of(
                    BooleanAccumulator.ENTRIES,
                    ExtremeAccumulators.ENTRIES,
                    SumFunctions.ENTRIES,
                    VarianceAccumulator.ENTRIES,
                    List.of(AverageFunction.ENTRY, CountAccumulator.ENTRY, SingleValueAccumulator.ENTRY))
            .flatMap(List::stream)
            .toList());

    private BuiltInAggregateFunctions() {}
}
