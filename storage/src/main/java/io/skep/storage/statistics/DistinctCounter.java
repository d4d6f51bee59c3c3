package io.skep.storage.statistics;

import org.apache.hadoop.hive.common.ndv.hll.HLLDenseRegister;
import org.apache.hadoop.hive.common.ndv.hll.HyperLogLog;
import org.jspecify.annotations.Nullable;

/**
 * Fills Hive's sketch with hashes of values. A repeated hash changes nothing, so two cheap tests keep nearly all rows
 * away from the sketch. While the sketch is a map of few hashes, the test is a table of recent hashes. Once it has
 * registers, the test reads the register that the hash would raise. The hashes are those that Hive passes to the sketch
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
            // A hash that does not map to this slot, so that no hash is considered seen.
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

    /** Returns the approximate heap size. */
    long retainedBytes() {
        return dense == null ? 8L * RECENT + 8192 : 256 + registers.length;
    }
}
