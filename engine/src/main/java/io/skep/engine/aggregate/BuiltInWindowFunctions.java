package io.skep.engine.aggregate;

import io.skep.engine.function.entry.EntriesByName;
import java.util.List;
import java.util.stream.Stream;

/** The list of functions that exist only with OVER. */
public final class BuiltInWindowFunctions {
    public static final EntriesByName<WindowFunctionEntry> ENTRIES = new EntriesByName<>(Stream.of(
                    FrameEndFunction.ENTRIES,
                    RankFunction.ENTRIES,
                    RelativeRankFunction.ENTRIES,
                    ShiftFunction.ENTRIES,
                    List.of(NtileFunction.ENTRY, MatchedRowsFunction.ENTRY))
            .flatMap(List::stream)
            .toList());

    private BuiltInWindowFunctions() {}
}
