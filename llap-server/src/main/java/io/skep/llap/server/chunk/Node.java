package io.skep.llap.server.chunk;

import static io.skep.llap.server.chunk.ChunkFormat.ALL_NULL;
import static io.skep.llap.server.chunk.ChunkFormat.HEADER_BYTES;
import static io.skep.llap.server.chunk.ChunkFormat.SOME_NULLS;

import io.skep.common.type.VectorKind;
import io.skep.common.vector.NullMask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The header of a node.
 *
 * @param bitmap offset of the null bitmap
 * @param payload offset of the payload
 * @param end offset of the next node
 */
record Node(VectorKind kind, byte encoding, byte nullness, int rows, int extra, long bitmap, long payload, long end) {
    private static final VectorKind[] KINDS = VectorKind.values();

    static Node at(MemorySegment chunk, long at) {
        byte nullness = chunk.get(ValueLayout.JAVA_BYTE, at + 2);
        int rows = chunk.get(LongDecoder.INT, at + 4);
        long bitmap = at + HEADER_BYTES;
        return new Node(
                KINDS[chunk.get(ValueLayout.JAVA_BYTE, at)],
                chunk.get(ValueLayout.JAVA_BYTE, at + 1),
                nullness,
                rows,
                chunk.get(LongDecoder.INT, at + 12),
                bitmap,
                nullness == SOME_NULLS ? bitmap + 8L * NullMask.words(rows) : bitmap,
                at + chunk.get(LongDecoder.INT, at + 8));
    }

    boolean allNull() {
        return nullness == ALL_NULL;
    }

    /** Returns the null mask of some rows, or null when none of them is null. */
    long @Nullable [] nulls(MemorySegment chunk, int from, int count) {
        if (nullness == ALL_NULL) {
            return NullMask.allNull(count);
        }
        if (nullness != SOME_NULLS) {
            return null;
        }
        int words = NullMask.words(count);
        int lastWord = NullMask.words(rows) - 1;
        long[] mask = new long[words];
        long any = 0;
        int shift = from & 63;
        for (int i = 0; i < words; i++) {
            int word = (from >> 6) + i;
            long bits = chunk.get(LongDecoder.LONG, bitmap + 8L * word) >>> shift;
            if (shift != 0 && word < lastWord) {
                bits |= chunk.get(LongDecoder.LONG, bitmap + 8L * (word + 1)) << -shift;
            }
            if (i == words - 1 && (count & 63) != 0) {
                bits &= (1L << count) - 1;
            }
            mask[i] = bits;
            any |= bits;
        }
        return any == 0 ? null : mask;
    }

    IllegalStateException unknown() {
        return new IllegalStateException("no " + kind + " is encoded as " + encoding);
    }
}
