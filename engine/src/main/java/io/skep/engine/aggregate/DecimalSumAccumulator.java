package io.skep.engine.aggregate;

import io.skep.common.type.DecimalType;
import io.skep.common.vector.Vector;

/** sum of decimals. The result is null if it has more digits than its type allows. */
final class DecimalSumAccumulator implements Accumulator {
    private final DecimalType type;
    private final boolean zeroWhenEmpty;
    private final DecimalSums sums = new DecimalSums();

    DecimalSumAccumulator(DecimalType type, boolean zeroWhenEmpty) {
        this.type = type;
        this.zeroWhenEmpty = zeroWhenEmpty;
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
        sums.add(groupIds, states.flatten(), rows);
    }

    @Override
    public Vector states(int from, int count) {
        return sums.vector(type, from, count, false);
    }

    @Override
    public Vector results(int from, int count) {
        return sums.vector(type, from, count, zeroWhenEmpty);
    }

    @Override
    public long retainedBytes() {
        return sums.bytes();
    }
}
