package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** min and max of strings and binaries, compared by their bytes. */
final class BytesExtremeAccumulator implements Accumulator {
    private final boolean greatest;
    private byte[] @Nullable [] extremes = new byte[0][];
    private long bytes;

    BytesExtremeAccumulator(boolean greatest) {
        this.greatest = greatest;
    }

    @Override
    public void ensureGroups(int count) {
        if (extremes.length < count) {
            extremes = Arrays.copyOf(extremes, GroupFlags.capacity(extremes.length, count));
        }
    }

    @Override
    public void add(int[] groupIds, Vector[] arguments, int rows) {
        merge(groupIds, arguments[0], rows);
    }

    @Override
    public void merge(int[] groupIds, Vector states, int rows) {
        BytesVector vector = (BytesVector) states.flatten();
        for (int i = 0; i < rows; i++) {
            if (!vector.isNull(i)) {
                take(groupIds[i], vector, i);
            }
        }
    }

    private void take(int group, BytesVector vector, int row) {
        byte @Nullable [] extreme = extremes[group];
        int start = vector.offsets()[row];
        int end = start + vector.lengths()[row];
        if (extreme == null) {
            extremes[group] = vector.bytes(row);
            bytes += end - start + 24L;
            return;
        }
        int order = Arrays.compareUnsigned(vector.data(), start, end, extreme, 0, extreme.length);
        if (greatest ? order > 0 : order < 0) {
            extremes[group] = vector.bytes(row);
            bytes += end - start - extreme.length;
        }
    }

    @Override
    public Vector states(int from, int count) {
        return results(from, count);
    }

    @Override
    public Vector results(int from, int count) {
        VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
        for (int group = from; group < from + count; group++) {
            byte @Nullable [] extreme = extremes[group];
            if (extreme == null) {
                appender.appendNull();
            } else {
                appender.appendBytes(extreme, 0, extreme.length);
            }
        }
        return appender.build();
    }

    @Override
    public long retainedBytes() {
        return 8L * extremes.length + bytes;
    }
}
