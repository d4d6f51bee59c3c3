package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.StructType;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Variance and standard deviation by updating sums of squared deviations (Chan, Golub, LeVeque: Updating Formulae and a
 * Pairwise Algorithm for Computing Sample Variances, 1979).
 */
final class VarianceAccumulator implements Accumulator {
    static final List<AggregateFunctionEntry> ENTRIES = List.of(
            entry(false, false, "variance", "var_pop"),
            entry(true, false, "var_samp"),
            entry(false, true, "std", "stddev", "stddev_pop"),
            entry(true, true, "stddev_samp"));

    private static final StructType STATE = new StructType(List.of(
            new StructType.Field("count", PrimitiveType.BIGINT),
            new StructType.Field("sum", PrimitiveType.DOUBLE),
            new StructType.Field("variance", PrimitiveType.DOUBLE)));

    private final boolean sample;
    private final boolean root;
    private long[] counts = new long[0];
    private double[] sums = new double[0];
    private double[] deviations = new double[0];

    VarianceAccumulator(boolean sample, boolean root) {
        this.sample = sample;
        this.root = root;
    }

    private static AggregateFunctionEntry entry(boolean sample, boolean root, String... names) {
        return new AggregateFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, names),
                AggregateFunctionEntry.TypeRule.ofOne(arguments -> NumericArguments.summed(arguments.getFirst())
                        .map(summed -> new AggregateFunctionEntry.Types(
                                List.of(PrimitiveType.DOUBLE), STATE, PrimitiveType.DOUBLE))),
                (arguments, type) -> NumericArguments.isReal(arguments.getFirst())
                        ? Optional.of(() -> new VarianceAccumulator(sample, root))
                        : Optional.empty());
    }

    @Override
    public void ensureGroups(int count) {
        if (sums.length < count) {
            int capacity = GroupFlags.capacity(sums.length, count);
            counts = Arrays.copyOf(counts, capacity);
            sums = Arrays.copyOf(sums, capacity);
            deviations = Arrays.copyOf(deviations, capacity);
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        double[] values = ((DoubleVector) arguments[0]).values();
        for (int i = 0; i < rows; i++) {
            if (!arguments[0].isNull(i)) {
                int group = groupIds[i];
                long count = ++counts[group];
                sums[group] += values[i];
                if (count > 1) {
                    double distance = count * values[i] - sums[group];
                    deviations[group] += distance * distance / ((double) count * (count - 1));
                }
            }
        }
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        StructVector state = (StructVector) states.flatten();
        long[] otherCounts = ((LongVector) state.fields().get(0)).values();
        double[] otherSums = ((DoubleVector) state.fields().get(1)).values();
        double[] otherDeviations = ((DoubleVector) state.fields().get(2)).values();
        for (int i = 0; i < rows; i++) {
            if (otherCounts[i] > 0) {
                merge(groupIds[i], otherCounts[i], otherSums[i], otherDeviations[i]);
            }
        }
    }

    private void merge(int group, long count, double sum, double deviation) {
        double mine = counts[group];
        if (mine > 0) {
            double other = count;
            double distance = other / mine * sums[group] - sum;
            deviations[group] += deviation + mine / other / (mine + other) * distance * distance;
        } else {
            deviations[group] = deviation;
        }
        counts[group] += count;
        sums[group] += sum;
    }

    @Override
    public Vector states(int from, int count) {
        return new StructVector(
                List.of(
                        new LongVector(Arrays.copyOfRange(counts, from, from + count), null, count),
                        new DoubleVector(Arrays.copyOfRange(sums, from, from + count), null, count),
                        new DoubleVector(Arrays.copyOfRange(deviations, from, from + count), null, count)),
                null,
                count);
    }

    @Override
    public Vector results(int from, int count) {
        double[] results = new double[count];
        for (int i = 0; i < count; i++) {
            double divisor = counts[from + i] - (sample ? 1 : 0);
            double variance = deviations[from + i] / divisor;
            results[i] = root ? Math.sqrt(variance) : variance;
        }
        return new DoubleVector(results, Groups.atMost(counts, sample ? 1 : 0, from, count), count);
    }

    @Override
    public long retainedBytes() {
        return 24L * sums.length;
    }
}
