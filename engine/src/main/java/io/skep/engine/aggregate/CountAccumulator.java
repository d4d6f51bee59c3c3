package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** count: the number of rows in which no argument is null, or of all rows if there are no arguments. */
final class CountAccumulator implements Accumulator {
    static final AggregateFunctionEntry ENTRY = new AggregateFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NEVER_NULL, "count"),
            arguments -> Optional.of(
                    new AggregateFunctionEntry.Types(arguments, PrimitiveType.BIGINT, PrimitiveType.BIGINT)),
            (arguments, type) -> Optional.of(CountAccumulator::new));

    private long[] counts = new long[0];

    @Override
    public void ensureGroups(int count) {
        if (counts.length < count) {
            counts = Arrays.copyOf(counts, GroupFlags.capacity(counts.length, count));
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        long[] nulls = nulls(arguments, rows);
        if (nulls == null) {
            for (int i = 0; i < rows; i++) {
                counts[groupIds[i]]++;
            }
            return;
        }
        for (int i = 0; i < rows; i++) {
            counts[groupIds[i]] += ~(nulls[i >> 6] >>> i) & 1L;
        }
    }

    @Override
    public void addAll(int group, Vector[] arguments, int rows) {
        counts[group] += rows - NullMask.count(nulls(arguments, rows), rows);
    }

    @Override
    public boolean removable() {
        return true;
    }

    @Override
    public void removeAll(int group, Vector[] arguments, int rows) {
        counts[group] -= rows - NullMask.count(nulls(arguments, rows), rows);
    }

    private static long @Nullable [] nulls(Vector[] arguments, int rows) {
        long[] nulls = null;
        for (Vector argument : arguments) {
            nulls = NullMask.or(nulls, argument.nulls(), rows);
        }
        return nulls;
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        long[] partial = ((LongVector) states.flatten()).values();
        for (int i = 0; i < rows; i++) {
            if (!states.isNull(i)) {
                counts[groupIds[i]] += partial[i];
            }
        }
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        return new LongVector(Arrays.copyOfRange(counts, from, from + count), null, count);
    }

    @Override
    public long retainedBytes() {
        return 8L * counts.length;
    }
}
