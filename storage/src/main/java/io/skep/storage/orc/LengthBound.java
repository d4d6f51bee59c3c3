package io.skep.storage.orc;

import io.skep.storage.file.RecordLimit;
import org.apache.orc.FileFormatException;

/**
 * Bounds of the sums of a column's lengths: for all of them the size of its data, for those of a batch what one reader
 * may hold. Runs do not end where batches do, so a batch may have up to twice that. Owned by one thread.
 */
final class LengthBound {
    private final String what;
    private final long most;
    private final long width;
    private final RecordLimit limit;
    private long all;
    private long batch;

    /**
     * @param what is named in errors
     * @param most the sum of all lengths
     * @param width bytes in memory for each one that the lengths count
     */
    LengthBound(String what, long most, long width, RecordLimit limit) {
        this.what = what;
        this.most = most;
        this.width = width;
        this.limit = limit;
    }

    void beginBatch() {
        batch = 0;
    }

    /** @throws FileFormatException when the lengths claim more than there can be */
    void add(long sum) throws FileFormatException {
        all += sum;
        batch += sum;
        if (all > most) {
            throw new FileFormatException(what + " claims " + all + " bytes, of which there are at most " + most);
        }
        if (batch > limit.bytes() / width) {
            throw limit.exceeded("a batch of " + what);
        }
    }
}
