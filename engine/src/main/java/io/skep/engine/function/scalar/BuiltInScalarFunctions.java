package io.skep.engine.function.scalar;

import io.skep.engine.function.entry.EntriesByName;
import java.util.List;
import java.util.stream.Stream;

/** The list of scalar functions and operators with entries. Hive has more of them, which run as Hive's classes. */
public final class BuiltInScalarFunctions {
    public static final EntriesByName<ScalarFunctionEntry> ENTRIES = new EntriesByName<>(Stream.of(
                    Arithmetic.entries(),
                    Comparison.entries(),
                    ConditionalFunctions.ENTRIES,
                    DatePart.entries(),
                    DayArithmetic.ENTRIES,
                    LengthFunction.ENTRIES,
                    LetterCase.ENTRIES,
                    NullSafeEqual.ENTRIES,
                    NullTest.ENTRIES,
                    TruthTest.ENTRIES,
                    List.of(
                            ConcatFunction.ENTRY,
                            ConstraintCheck.ENTRY,
                            IndexFunction.ENTRY,
                            LevenshteinFunction.ENTRY,
                            LikeFunction.ENTRY,
                            Negation.ENTRY,
                            NotFunction.ENTRY,
                            RegexpExtractFunction.ENTRY,
                            RegexpFunction.ENTRY,
                            RegexpReplaceFunction.ENTRY,
                            SplitFunction.ENTRY,
                            SplitPartFunction.ENTRY,
                            StartsWithFunction.ENTRY,
                            StructField.ENTRY,
                            SubstringFunction.ENTRY))
            .flatMap(List::stream)
            .toList());

    private BuiltInScalarFunctions() {}
}
