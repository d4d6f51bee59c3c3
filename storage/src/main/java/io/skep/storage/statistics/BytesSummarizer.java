package io.skep.storage.statistics;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import org.apache.hive.common.util.Murmur3;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes text and binary. Text is sketched and its lengths are in characters. Binary has lengths in bytes and no
 * sketch.
 */
final class BytesSummarizer extends ColumnSummarizer {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long TOP_BITS = 0x8080808080808080L;

    private final boolean text;
    private final DistinctCounter distinct = new DistinctCounter();
    private long total;
    private int longest;

    BytesSummarizer(boolean text) {
        this.text = text;
    }

    @Override
    void addValues(Vector flat, long @Nullable [] nulls, int @Nullable [] counts) {
        BytesVector vector = (BytesVector) flat;
        byte[] data = vector.data();
        int[] offsets = vector.offsets();
        int[] lengths = vector.lengths();
        int rows = vector.length();
        for (int row = 0; row < rows; row++) {
            if (isSkipped(nulls, counts, row)) {
                continue;
            }
            int length = lengths[row];
            if (text) {
                distinct.add(Murmur3.hash64(data, offsets[row], length));
                length = characters(data, offsets[row], length);
            }
            longest = Math.max(longest, length);
            total += counts == null ? length : (long) length * counts[row];
        }
    }

    /** Returns the number of characters of UTF-8 text, which is the number of bytes that are not continuation bytes. */
    static int characters(byte[] data, int offset, int length) {
        int end = offset + length;
        int at = offset;
        int continuing = 0;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            long eight = (long) LONGS.get(data, at);
            // Continuation bytes have the top bit set and the bit below it clear.
            continuing += Long.bitCount(eight & ~(eight << 1) & TOP_BITS);
        }
        for (; at < end; at++) {
            continuing += (data[at] & 0xC0) == 0x80 ? 1 : 0;
        }
        return length - continuing;
    }

    @Override
    public ColumnSummary summary() {
        return new ColumnSummary(
                rows(),
                nulls(),
                Optional.empty(),
                Optional.empty(),
                total,
                longest,
                0,
                0,
                rows() == 0 || !text ? Optional.empty() : Optional.of(distinct.sketch()),
                Optional.empty());
    }

    @Override
    public long retainedBytes() {
        return 64 + distinct.retainedBytes();
    }
}
