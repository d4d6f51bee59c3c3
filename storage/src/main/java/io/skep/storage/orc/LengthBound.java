package io.skep.storage.orc;

import io.skep.common.memory.HeldBuffers;
import io.skep.storage.file.RecordLimit;
import org.apache.orc.FileFormatException;

/**
 * Bounds the sums of a column's lengths. The sum of all lengths is bounded by the size of the column's data. The sum
 * for a batch is bounded by what one reader may hold, and counted before ORC allocates the bytes. Runs do not stop at
 * batch boundaries, so a batch may use up to twice that bound. Owned by one thread.
 */
final class LengthBound {
    private final String what;
    private final long most;
    private final long width;
    private final RecordLimit limit;
    private final HeldBuffers buffers;
    private final boolean keeps;
    private long all;
    private long batch;

    /**
     * @param what the name for error messages
     * @param most the maximum sum of all lengths
     * @param width bytes in memory for each unit of length
     * @param buffers count the bytes
     * @param keeps whether the bytes stay in memory after the batch, as those of a dictionary do
     */
    LengthBound(String what, long most, long width, RecordLimit limit, HeldBuffers buffers, boolean keeps) {
        this.what = what;
        this.most = most;
        this.width = width;
        this.limit = limit;
        this.buffers = buffers;
        this.keeps = keeps;
    }

    void beginBatch() {
        if (!keeps) {
            buffers.remove(batch * width);
        }
        batch = 0;
    }

    /** @throws FileFormatException when the lengths claim more than the maximum */
    void add(long sum) throws FileFormatException {
        all += sum;
        if (all > most) {
            throw new FileFormatException(what + " claims " + all + " bytes, of which there are at most " + most);
        }
        if (batch + sum > limit.bytes() / width) {
            throw limit.exceeded("a batch of " + what);
        }
        buffers.add(sum * width);
        batch += sum;
    }
}
