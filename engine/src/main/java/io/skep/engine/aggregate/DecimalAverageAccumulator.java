package io.skep.engine.aggregate;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.scalar.Int128;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/** avg of decimals: the exact sum, divided once and rounded half up to the scale of the result. */
final class DecimalAverageAccumulator implements Accumulator {
    private final DecimalType type;
    private final int inputScale;
    private final DecimalType sumType;
    private final DecimalSums sums = new DecimalSums();

    DecimalAverageAccumulator(DecimalType input, DecimalType type) {
        this.type = type;
        this.inputScale = input.scale();
        this.sumType = new DecimalType(Math.min(DecimalType.MAX_PRECISION, input.precision() + 10), input.scale());
    }

    @Override
    public void ensureGroups(int count) {
        sums.ensure(count);
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        sums.add(groupIds, arguments[0], rows);
    }

    @Override
    public boolean removable() {
        return true;
    }

    @Override
    public void removeAll(int group, Vector[] arguments, int rows) {
        sums.removeAll(group, arguments[0], rows);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        StructVector state = (StructVector) states.flatten();
        long[] counts = ((LongVector) state.fields().get(0)).values();
        Vector partial = state.fields().get(1);
        sums.add(groupIds, partial, rows);
        long[] totals = sums.counts();
        for (int i = 0; i < rows; i++) {
            if (partial.isNull(i)) {
                if (counts[i] > 0) {
                    sums.lose(groupIds[i]);
                }
                totals[groupIds[i]] += counts[i];
            } else {
                totals[groupIds[i]] += counts[i] - 1;
            }
        }
    }

    @Override
    public Vector states(int from, int count) {
        LongVector counts = new LongVector(Arrays.copyOfRange(sums.counts(), from, from + count), null, count);
        return new StructVector(List.of(counts, sums.vector(sumType, from, count, false)), null, count);
    }

    @Override
    public Vector results(int from, int count) {
        VectorAppender appender = VectorAppender.of(type);
        for (int group = from; group < from + count; group++) {
            appendResult(group, appender);
        }
        return appender.build();
    }

    private void appendResult(int group, VectorAppender appender) {
        long count = sums.counts()[group];
        if (count == 0 || sums.isLost(group)) {
            appender.appendNull();
            return;
        }
        BigInteger scaled = sums.sum(group).multiply(Int128.bigPowerOfTen(type.scale() - inputScale));
        BigInteger average = Int128.divideRounded(scaled, BigInteger.valueOf(count));
        if (!Int128.fits(average, type.precision())) {
            appender.appendNull();
        } else if (type.isShort()) {
            appender.appendLong(average.longValue());
        } else {
            appender.appendDecimal128(Int128.high(average), average.longValue());
        }
    }

    @Override
    public long retainedBytes() {
        return sums.bytes();
    }
}
