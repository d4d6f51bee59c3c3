package io.skep.storage.statistics;

import org.apache.hadoop.hive.common.ndv.hll.HLLDenseRegister;
import org.apache.hadoop.hive.common.ndv.hll.HyperLogLog;
import org.jspecify.annotations.Nullable;

/**
 * Fills Hive's sketch with hashes of values. A hash that comes again changes nothing, so the two cheap tests below keep
 * nearly all rows away from the sketch: while it is a map of few hashes, a table of those seen last; once it has
 * registers, a look at the register that the hash would raise. The hashes are those that Hive gives the sketch
 * (Murmur3, 64 bits).
 */
final class DistinctCounter {
    private static final int RECENT = 256;

    private final HyperLogLog sketch = HyperLogLog.builder().setSizeOptimized().build();
    private final int indexBits = sketch.getNumRegisterIndexBits();
    private final int indexMask = (1 << indexBits) - 1;
    private long[] recent = new long[RECENT];
    private @Nullable HLLDenseRegister dense;
    private byte[] registers = new byte[0];

    DistinctCounter() {
        for (int i = 0; i < RECENT; i++) {
            // A hash that does not belong to this place, so that nothing is taken for seen.
            recent[i] = ~i;
        }
    }

    void add(long hash) {
        HLLDenseRegister raised = dense;
        if (raised == null) {
            addToMap(hash);
            return;
        }
        int index = (int) hash & indexMask;
        int rank = Long.numberOfTrailingZeros(hash >>> indexBits) + 1;
        if (registers[index] < rank) {
            raised.set(index, (byte) rank);
        }
    }

    private void addToMap(long hash) {
        int place = (int) hash & RECENT - 1;
        if (recent[place] == hash) {
            return;
        }
        recent[place] = hash;
        sketch.add(hash);
        if (sketch.getEncoding() == HyperLogLog.EncodingType.DENSE) {
            dense = sketch.getHLLDenseRegister();
            registers = dense.getRegister();
            recent = new long[0];
        }
    }

    DistinctSketch sketch() {
        return new DistinctSketch(sketch.serialize());
    }

    /** About what is kept on the heap. */
    long retainedBytes() {
        return dense == null ? 8L * RECENT + 8192 : 256 + registers.length;
    }
}
