package io.skep.engine.aggregate;

import io.skep.common.concurrent.Interruption;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.hive.HiveAggregates;
import io.skep.engine.function.hive.HiveArgument;
import io.skep.engine.function.hive.HiveEvaluator;
import io.skep.storage.serde.value.HiveValueReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.AbstractAggregationBuffer;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.AggregationBuffer;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.Mode;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one of Hive's UDAFs. Hive initializes an evaluator for one step only, so raw rows and states have
 * separate buffers. Results of raw rows are computed through their states.
 */
@SuppressWarnings("deprecation")
final class HiveAccumulator implements Accumulator {
    private static final int BYTES_OF_A_GROUP = 160;

    private final HiveAggregates aggregates;
    private final HiveAggregates.Bound bound;
    private final SqlType stateType;
    private final SqlType type;
    private final List<HiveValueReader> readers = new ArrayList<>();
    private final HiveValueReader stateReader;
    private final StateGrowth growth;
    private final List<@Nullable AggregationBuffer> raw = new ArrayList<>();
    private final List<@Nullable AggregationBuffer> merged = new ArrayList<>();
    private @Nullable HiveEvaluator rawEvaluator;
    private @Nullable HiveEvaluator mergingEvaluator;
    private @Nullable HiveEvaluator mergedStateEvaluator;
    private int groups;
    private long keptBytes;
    private long bufferBytes;
    private @Nullable AggregationBuffer started;

    HiveAccumulator(HiveAggregates aggregates, HiveAggregates.Bound bound, SqlType stateType, SqlType type) {
        this.aggregates = aggregates;
        this.bound = bound;
        this.stateType = stateType;
        this.type = type;
        this.growth = new StateGrowth(bound);
        for (HiveArgument argument : bound.arguments()) {
            readers.add(HiveValueReader.of(argument.type(), aggregates.session().zone()));
        }
        this.stateReader = HiveValueReader.of(stateType, aggregates.session().zone());
    }

    @Override
    public void ensureGroups(int count) {
        while (groups < count) {
            raw.add(null);
            merged.add(null);
            groups++;
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        HiveEvaluator evaluator = rawEvaluator();
        long more = keep(rows, arguments);
        evaluator.run(() -> {
            for (int i = 0; i < rows; i++) {
                Interruption.check();
                @Nullable Object[] values = new Object[arguments.length];
                for (int a = 0; a < values.length; a++) {
                    values[a] = readers.get(a).read(arguments[a], i);
                }
                evaluator.evaluator().aggregate(buffer(raw, groupIds[i], evaluator), values);
                countStarted();
            }
        });
        ScratchMemory.discount(more);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        HiveEvaluator evaluator = mergingEvaluator();
        Vector flat = states.flatten();
        long more = keep(rows, flat);
        evaluator.run(() -> {
            for (int i = 0; i < rows; i++) {
                Interruption.check();
                evaluator.evaluator().merge(buffer(merged, groupIds[i], evaluator), stateReader.read(flat, i));
                countStarted();
            }
        });
        ScratchMemory.discount(more);
    }

    @Override
    public Vector states(int from, int count) {
        VectorAppender appender = VectorAppender.of(stateType);
        for (int group = from; group < from + count; group++) {
            Interruption.check();
            if (merged.get(group) != null) {
                appendMergedState(group, appender);
            } else {
                appendRawState(group, appender);
            }
        }
        return appender.build();
    }

    private void appendRawState(int group, VectorAppender appender) {
        HiveEvaluator evaluator = rawEvaluator();
        evaluator.run(() -> evaluator
                .writer()
                .write(evaluator.evaluator().terminatePartial(buffer(raw, group, evaluator)), appender));
    }

    private void appendMergedState(int group, VectorAppender appender) {
        HiveEvaluator partial = mergedStateEvaluator();
        if (raw.get(group) != null) {
            moveToMerged(group);
        }
        partial.run(() ->
                partial.writer().write(partial.evaluator().terminatePartial(buffer(merged, group, partial)), appender));
    }

    @Override
    public Vector results(int from, int count) {
        HiveEvaluator evaluator = mergingEvaluator();
        VectorAppender appender = VectorAppender.of(type);
        for (int group = from; group < from + count; group++) {
            Interruption.check();
            if (raw.get(group) != null) {
                moveToMerged(group);
            }
            int at = group;
            evaluator.run(() ->
                    evaluator.writer().write(evaluator.evaluator().terminate(buffer(merged, at, evaluator)), appender));
        }
        return appender.build();
    }

    private void moveToMerged(int group) {
        VectorAppender state = VectorAppender.of(stateType);
        appendRawState(group, state);
        raw.set(group, null);
        long kept = keptBytes;
        merge(new int[] {group}, state.build(), 1);
        // The merged state stands for rows that are already counted.
        keptBytes = kept;
    }

    private AggregationBuffer buffer(List<@Nullable AggregationBuffer> buffers, int group, HiveEvaluator evaluator)
            throws HiveException {
        AggregationBuffer buffer = buffers.get(group);
        if (buffer == null) {
            buffer = evaluator.evaluator().getNewAggregationBuffer();
            buffers.set(group, buffer);
            started = buffer;
        }
        return buffer;
    }

    private HiveEvaluator rawEvaluator() {
        HiveEvaluator evaluator = rawEvaluator;
        if (evaluator == null) {
            evaluator = HiveEvaluator.raw(aggregates, bound, Mode.PARTIAL1);
            rawEvaluator = evaluator;
        }
        return evaluator;
    }

    private HiveEvaluator mergingEvaluator() {
        HiveEvaluator evaluator = mergingEvaluator;
        if (evaluator == null) {
            evaluator = HiveEvaluator.merging(aggregates, bound, stateType, Mode.FINAL);
            mergingEvaluator = evaluator;
        }
        return evaluator;
    }

    private HiveEvaluator mergedStateEvaluator() {
        HiveEvaluator evaluator = mergedStateEvaluator;
        if (evaluator == null) {
            evaluator = HiveEvaluator.merging(aggregates, bound, stateType, Mode.PARTIAL2);
            mergedStateEvaluator = evaluator;
        }
        return evaluator;
    }

    /** Counts a buffer after its first row, because some buffers have no estimate before that. */
    private void countStarted() {
        AggregationBuffer buffer = started;
        if (buffer != null) {
            started = null;
            bufferBytes += bytes(buffer);
        }
    }

    /** Returns Hive's estimate of a buffer's size, if Hive has one. */
    private static long bytes(AggregationBuffer buffer) {
        if (!GenericUDAFEvaluator.isEstimable(buffer) || !(buffer instanceof AbstractAggregationBuffer known)) {
            return BYTES_OF_A_GROUP;
        }
        try {
            return Math.max(BYTES_OF_A_GROUP, known.estimate());
        } catch (RuntimeException withoutRows) {
            // The estimate of percentile_approx fails until it has seen a value that is not NULL.
            return BYTES_OF_A_GROUP;
        }
    }

    /**
     * Counts incoming rows, because some functions keep them as objects. The rows are charged to the thread's account
     * until they are added.
     */
    private long keep(int rows, Vector... values) {
        long more = growth.bytes(values, rows);
        ScratchMemory.count(more);
        keptBytes = Math.min(keptBytes + more, growth.maxBytes(groups));
        return more;
    }

    /**
     * Returns an estimate, because Hive's classes do not report what they hold. Functions that collect hold a value per
     * row ({@link StateGrowth}).
     */
    @Override
    public long retainedBytes() {
        return (long) Long.BYTES * 2 * groups + bufferBytes + keptBytes;
    }

    @Override
    public void close() {
        if (rawEvaluator != null) {
            rawEvaluator.close();
        }
        if (mergingEvaluator != null) {
            mergingEvaluator.close();
        }
        if (mergedStateEvaluator != null) {
            mergedStateEvaluator.close();
        }
    }
}
