package io.skep.llap.server.chunk;

import static io.skep.llap.server.chunk.ChunkFormat.CONSTANT;
import static io.skep.llap.server.chunk.ChunkFormat.LANES;
import static io.skep.llap.server.chunk.ChunkFormat.MAX_PACKED_BITS;
import static io.skep.llap.server.chunk.ChunkFormat.PACKED;
import static io.skep.llap.server.chunk.ChunkFormat.RUNS;

import io.skep.common.type.VectorKind;
import io.skep.common.vector.NullMask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes integers as a constant, as runs, or packed. A packed value uses the bits that its difference from the
 * smallest value needs.
 */
final class LongEncoder {
    private final ByteSink sink;

    LongEncoder(ByteSink sink) {
        this.sink = sink;
    }

    void encode(long[] source, long @Nullable [] nulls, int rows) {
        long[] values = nulls == null ? source : fillNulls(source, nulls, rows);
        long min = rows == 0 ? 0 : values[0];
        long max = min;
        int runs = rows == 0 ? 0 : 1;
        for (int i = 1; i < rows; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
            runs += values[i] == values[i - 1] ? 0 : 1;
        }
        int width = width(min, max);
        if (width == 0) {
            constant(min, nulls, rows);
        } else if (runs * (32L + width) * 3 < (long) rows * width) {
            runs(values, nulls, rows, runs);
        } else {
            packed(values, nulls, rows, min, width);
        }
    }

    private void constant(long value, long @Nullable [] nulls, int rows) {
        int node = ChunkEncoder.beginNode(sink, VectorKind.LONG, CONSTANT, nulls, rows, 0);
        sink.putLong(value);
        ChunkEncoder.endNode(sink, node);
    }

    private void runs(long[] values, long @Nullable [] nulls, int rows, int runs) {
        long[] ends = new long[runs];
        long[] runValues = new long[runs];
        int run = 0;
        for (int i = 0; i < rows; i++) {
            if (i == rows - 1 || values[i + 1] != values[i]) {
                ends[run] = i + 1L;
                runValues[run++] = values[i];
            }
        }
        int node = ChunkEncoder.beginNode(sink, VectorKind.LONG, RUNS, nulls, rows, runs);
        packedOrConstant(ends, runs);
        packedOrConstant(runValues, runs);
        ChunkEncoder.endNode(sink, node);
    }

    private void packedOrConstant(long[] values, int count) {
        long min = Arrays.stream(values, 0, count).min().orElse(0);
        long max = Arrays.stream(values, 0, count).max().orElse(0);
        int width = width(min, max);
        if (width == 0) {
            constant(min, null, count);
        } else {
            packed(values, null, count, min, width);
        }
    }

    private void packed(long[] values, long @Nullable [] nulls, int rows, long base, int bits) {
        int lanes = bits == 64 ? 0 : LanePacking.shift(rows, bits);
        if (lanes == 0) {
            stream(values, nulls, rows, base, roundUpWidth(bits));
            return;
        }
        int node = ChunkEncoder.beginNode(sink, VectorKind.LONG, LANES, nulls, rows, 0);
        LanePacking.encode(sink, values, rows, base, bits, lanes);
        ChunkEncoder.endNode(sink, node);
    }

    private void stream(long[] values, long @Nullable [] nulls, int rows, long base, int width) {
        int node = ChunkEncoder.beginNode(sink, VectorKind.LONG, PACKED, nulls, rows, 0);
        sink.putLong(base);
        sink.putLong(width);
        long packedBytes = ((long) rows * width + 7 >>> 3) + 7 & -8L;
        int start = sink.skip(packedBytes + 8);
        pack(values, rows, base, width, start);
        ChunkEncoder.endNode(sink, node);
    }

    /** Packs values into words; each word is written when it is full. */
    private void pack(long[] values, int rows, long base, int width, int start) {
        int at = start;
        long word = 0;
        int filled = 0;
        for (int i = 0; i < rows; i++) {
            long value = values[i] - base;
            word |= value << filled;
            filled += width;
            if (filled >= Long.SIZE) {
                sink.setLong(at, word);
                at += Long.BYTES;
                filled -= Long.SIZE;
                word = filled == 0 ? 0 : value >>> (width - filled);
            }
        }
        if (filled > 0) {
            sink.setLong(at, word);
        }
    }

    /** Returns the number of bits of the difference. */
    private static int width(long min, long max) {
        return 64 - Long.numberOfLeadingZeros(max - min);
    }

    /** Rounds up widths for which whole bytes are faster to decode. */
    private static int roundUpWidth(int bits) {
        if (bits > MAX_PACKED_BITS) {
            return 64;
        }
        return bits == 7 || bits == 15 || bits == 31 ? bits + 1 : bits;
    }

    /** Replaces each null by the value before it, so that nulls cost nothing. */
    private static long[] fillNulls(long[] source, long[] nulls, int rows) {
        long[] filled = Arrays.copyOf(source, rows);
        long last = 0;
        for (int i = 0; i < rows; i++) {
            if (!NullMask.isNull(nulls, i)) {
                last = filled[i];
                break;
            }
        }
        for (int i = 0; i < rows; i++) {
            if (NullMask.isNull(nulls, i)) {
                filled[i] = last;
            } else {
                last = filled[i];
            }
        }
        return filled;
    }
}
