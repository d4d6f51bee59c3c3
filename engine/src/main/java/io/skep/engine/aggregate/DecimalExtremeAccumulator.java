package io.skep.engine.aggregate;

import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.scalar.Int128;
import java.util.Arrays;

/** min and max of decimals of more than 18 digits. */
final class DecimalExtremeAccumulator implements Accumulator {
    private final boolean greatest;
    private long[] high = new long[0];
    private long[] low = new long[0];
    private final GroupFlags seen = new GroupFlags();

    DecimalExtremeAccumulator(boolean greatest) {
        this.greatest = greatest;
    }

    @Override
    public void ensureGroups(int count) {
        seen.ensure(count);
        if (high.length < count) {
            int capacity = GroupFlags.capacity(high.length, count);
            high = Arrays.copyOf(high, capacity);
            low = Arrays.copyOf(low, capacity);
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        merge(groupIds, arguments[0], rows);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        Decimal128Vector vector = (Decimal128Vector) states.flatten();
        boolean[] flags = seen.array();
        for (int i = 0; i < rows; i++) {
            if (!vector.isNull(i)) {
                int group = groupIds[i];
                long valueHigh = vector.high()[i];
                long valueLow = vector.low()[i];
                if (!flags[group] || Int128.compare(valueHigh, valueLow, high[group], low[group]) > 0 == greatest) {
                    high[group] = valueHigh;
                    low[group] = valueLow;
                    flags[group] = true;
                }
            }
        }
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        return new Decimal128Vector(
                Arrays.copyOfRange(high, from, from + count),
                Arrays.copyOfRange(low, from, from + count),
                seen.nulls(from, count),
                count);
    }

    @Override
    public long retainedBytes() {
        return 16L * high.length + seen.bytes();
    }
}
