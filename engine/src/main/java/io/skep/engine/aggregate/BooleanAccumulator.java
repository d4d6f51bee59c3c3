package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionDocumentation;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * bool_and and bool_or. One value decides: a false one for bool_and, a true one for bool_or. A state is the result of
 * its rows.
 */
final class BooleanAccumulator implements Accumulator {
    static final List<AggregateFunctionEntry> ENTRIES = List.of(
            entry(
                    0,
                    new FunctionDocumentation(
                            "_FUNC_(condition) - Returns whether the condition is true for every row that has one",
                            "Rows whose condition is NULL do not count."),
                    "bool_and",
                    "every"),
            entry(
                    1,
                    new FunctionDocumentation(
                            "_FUNC_(condition) - Returns whether the condition is true for any row",
                            "Rows whose condition is NULL do not count."),
                    "bool_or"));

    private final long decisive;

    /** Of each group the number of values, and behind it the number of decisive ones. */
    private long[] counts = new long[0];

    private BooleanAccumulator(long decisive) {
        this.decisive = decisive;
    }

    private static AggregateFunctionEntry entry(long decisive, FunctionDocumentation documentation, String... names) {
        return new AggregateFunctionEntry(
                FunctionMetadata.ofSkep(Nullability.NULL_ON_NULL, documentation, names),
                AggregateFunctionEntry.TypeRule.ofOne(arguments -> arguments.getFirst() == PrimitiveType.BOOLEAN
                                || arguments.getFirst() == PrimitiveType.VOID
                        ? Optional.of(AggregateFunctionEntry.Types.of(PrimitiveType.BOOLEAN, PrimitiveType.BOOLEAN))
                        : Optional.empty()),
                (arguments, type) -> Optional.of(() -> new BooleanAccumulator(decisive)));
    }

    @Override
    public void ensureGroups(int count) {
        if (counts.length / 2 < count) {
            counts = Arrays.copyOf(counts, Math.multiplyExact(2, GroupFlags.capacity(counts.length / 2, count)));
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        merge(groupIds, arguments[0], rows);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        LongVector vector = (LongVector) states.flatten();
        long[] values = vector.values();
        long[] nulls = vector.nulls();
        for (int i = 0; i < rows; i++) {
            if (!NullMask.isNull(nulls, i)) {
                int at = 2 * groupIds[i];
                counts[at]++;
                counts[at + 1] += values[i] == decisive ? 1 : 0;
            }
        }
    }

    @Override
    public boolean removable() {
        return true;
    }

    @Override
    public void removeAll(int group, Vector[] arguments, int rows) {
        LongVector vector = (LongVector) arguments[0];
        for (int i = 0; i < rows; i++) {
            if (!vector.isNull(i)) {
                counts[2 * group]--;
                counts[2 * group + 1] -= vector.values()[i] == decisive ? 1 : 0;
            }
        }
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        long[] present = new long[count];
        long[] truths = new long[count];
        for (int i = 0; i < count; i++) {
            int at = 2 * (from + i);
            present[i] = counts[at];
            truths[i] = counts[at + 1] > 0 ? decisive : 1 - decisive;
        }
        return new LongVector(truths, Groups.empty(present, 0, count), count);
    }

    @Override
    public long retainedBytes() {
        return 8L * counts.length;
    }
}
