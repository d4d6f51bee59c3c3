package io.skep.engine.function;

import io.skep.engine.aggregate.AggregateFunctionEntry;
import io.skep.engine.aggregate.BuiltInAggregateFunctions;
import io.skep.engine.aggregate.BuiltInWindowFunctions;
import io.skep.engine.aggregate.WindowFunctionEntry;
import io.skep.engine.function.entry.EntriesByName;
import io.skep.engine.function.entry.FunctionEntry;
import io.skep.engine.function.entry.SessionFunctionEntry;
import io.skep.engine.function.scalar.BuiltInScalarFunctions;
import io.skep.engine.function.scalar.ScalarFunctionEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All functions with entries, by name. No two functions share a name, whatever their kinds. Hive has more functions:
 * they run as Hive's classes, which take long to load.
 */
public final class BuiltInFunctions {
    public static final EntriesByName<ScalarFunctionEntry> SCALARS = BuiltInScalarFunctions.ENTRIES;
    public static final EntriesByName<AggregateFunctionEntry> AGGREGATES = BuiltInAggregateFunctions.ENTRIES;

    /** Functions that exist only with OVER. */
    public static final EntriesByName<WindowFunctionEntry> WINDOWS = BuiltInWindowFunctions.ENTRIES;

    private static final EntriesByName<FunctionEntry> ALL = all();
    private static final Set<String> NAMES = callableNames();

    private BuiltInFunctions() {}

    private static EntriesByName<FunctionEntry> all() {
        List<FunctionEntry> entries = new ArrayList<>(SCALARS.all());
        entries.addAll(AGGREGATES.all());
        entries.addAll(WINDOWS.all());
        entries.addAll(SessionFunctionEntry.ALL);
        return new EntriesByName<>(entries);
    }

    private static Set<String> callableNames() {
        return ALL.all().stream()
                .map(FunctionEntry::metadata)
                .filter(metadata -> metadata.isCallable())
                .flatMap(metadata -> metadata.names().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the names that statements may use, aliases included. */
    public static Set<String> names() {
        return NAMES;
    }

    /** Finds the entry of a function that statements may call. */
    static Optional<FunctionEntry> find(String name) {
        return ALL.findCallable(name);
    }
}
