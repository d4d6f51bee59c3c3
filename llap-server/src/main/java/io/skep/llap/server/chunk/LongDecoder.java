package io.skep.llap.server.chunk;

import static io.skep.llap.server.chunk.ChunkFormat.CONSTANT;
import static io.skep.llap.server.chunk.ChunkFormat.LANES;
import static io.skep.llap.server.chunk.ChunkFormat.PACKED;
import static io.skep.llap.server.chunk.ChunkFormat.RUNS;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Decodes arbitrary rows of a LONG node. */
final class LongDecoder {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LongDecoder() {}

    /** Whether the encoding shows that the rows {@code [from, from + count)} all have one value. */
    static boolean isConstant(MemorySegment chunk, Node node, int from, int count) {
        return switch (node.encoding()) {
            case CONSTANT -> true;
            case RUNS -> {
                Node ends = Node.at(chunk, node.payload());
                int run = run(chunk, ends, from, node.extra());
                yield value(chunk, ends, run) >= from + (long) count;
            }
            default -> false;
        };
    }

    static void decode(MemorySegment chunk, Node node, int from, int count, long[] into) {
        switch (node.encoding()) {
            case CONSTANT -> Arrays.fill(into, 0, count, chunk.get(LONG, node.payload()));
            case PACKED -> unpack(chunk, node.payload(), from, count, into);
            case LANES -> LanePacking.at(chunk, node.payload()).decode(chunk, from, count, into);
            case RUNS -> runs(chunk, node, from, count, into);
            default -> throw node.unknown();
        }
    }

    /** Decodes the values at {@code from + rows[i]}. For a packed node the values between them are not decoded. */
    static void gather(MemorySegment chunk, Node node, int from, int[] rows, int count, long[] into) {
        switch (node.encoding()) {
            case CONSTANT -> Arrays.fill(into, 0, count, chunk.get(LONG, node.payload()));
            case PACKED -> gatherPacked(chunk, node.payload(), from, rows, count, into);
            case LANES -> LanePacking.at(chunk, node.payload()).gather(chunk, from, rows, count, into);
            case RUNS -> gatherRuns(chunk, node, from, rows, count, into);
            default -> throw node.unknown();
        }
    }

    private static void gatherPacked(MemorySegment chunk, long payload, int from, int[] rows, int count, long[] into) {
        long base = chunk.get(LONG, payload);
        int width = (int) chunk.get(LONG, payload + 8);
        long data = payload + 16;
        long mask = width == 64 ? -1 : (1L << width) - 1;
        for (int i = 0; i < count; i++) {
            long bit = (long) (from + rows[i]) * width;
            into[i] = base + (chunk.get(LONG, data + (bit >>> 3)) >>> (bit & 7) & mask);
        }
    }

    /** Checks the run of the previous row and the run after it first, because rows are mostly ascending. */
    private static void gatherRuns(MemorySegment chunk, Node node, int from, int[] rows, int count, long[] into) {
        Node ends = Node.at(chunk, node.payload());
        Node values = Node.at(chunk, ends.end());
        int run = -1;
        long start = 0;
        long end = 0;
        long value = 0;
        for (int i = 0; i < count; i++) {
            int row = from + rows[i];
            if (row < start || row >= end) {
                boolean next = row >= end && run + 1 < node.extra() && row < value(chunk, ends, run + 1);
                run = next ? run + 1 : run(chunk, ends, row, node.extra());
                start = run == 0 ? 0 : value(chunk, ends, run - 1);
                end = value(chunk, ends, run);
                value = value(chunk, values, run);
            }
            into[i] = value;
        }
    }

    /** Decodes one value. */
    static long value(MemorySegment chunk, Node node, int row) {
        if (node.encoding() == RUNS) {
            Node ends = Node.at(chunk, node.payload());
            return value(chunk, Node.at(chunk, ends.end()), run(chunk, ends, row, node.extra()));
        }
        if (node.encoding() == LANES) {
            return LanePacking.at(chunk, node.payload()).value(chunk, row);
        }
        long base = chunk.get(LONG, node.payload());
        if (node.encoding() == CONSTANT) {
            return base;
        }
        int width = (int) chunk.get(LONG, node.payload() + 8);
        long bit = (long) row * width;
        long word = chunk.get(LONG, node.payload() + 16 + (bit >>> 3));
        return base + (width == 64 ? word : word >>> (bit & 7) & (1L << width) - 1);
    }

    private static void unpack(MemorySegment chunk, long payload, int from, int count, long[] into) {
        long base = chunk.get(LONG, payload);
        int width = (int) chunk.get(LONG, payload + 8);
        long data = payload + 16;
        if (!chunk.isNative()) {
            unpackOfHeap(chunk, base, width, data, from, count, into);
            return;
        }
        switch (width) {
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = base + (chunk.get(ValueLayout.JAVA_BYTE, data + from + i) & 0xFFL);
                }
            }
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = base + (chunk.get(SHORT, data + 2L * (from + i)) & 0xFFFFL);
                }
            }
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = base + (chunk.get(INT, data + 4L * (from + i)) & 0xFFFFFFFFL);
                }
            }
            case 64 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = base + chunk.get(LONG, data + 8L * (from + i));
                }
            }
            default -> {
                long mask = (1L << width) - 1;
                long bit = (long) from * width;
                for (int i = 0; i < count; i++, bit += width) {
                    into[i] = base + (chunk.get(LONG, data + (bit >>> 3)) >>> (bit & 7) & mask);
                }
            }
        }
    }

    /** Chunks on the heap have a loop of their own, as in {@link LanePacking}. */
    private static void unpackOfHeap(
            MemorySegment chunk, long base, int width, long data, int from, int count, long[] into) {
        if (width == 64) {
            MemorySegment.copy(chunk, LONG, data + 8L * from, into, 0, count);
            for (int i = 0; i < count; i++) {
                into[i] += base;
            }
            return;
        }
        long mask = (1L << width) - 1;
        long bit = (long) from * width;
        for (int i = 0; i < count; i++, bit += width) {
            into[i] = base + (chunk.get(LONG, data + (bit >>> 3)) >>> (bit & 7) & mask);
        }
    }

    private static void runs(MemorySegment chunk, Node node, int from, int count, long[] into) {
        Node ends = Node.at(chunk, node.payload());
        Node values = Node.at(chunk, ends.end());
        int run = run(chunk, ends, from, node.extra());
        int done = 0;
        while (done < count) {
            int end = (int) Math.min(count, value(chunk, ends, run) - from);
            Arrays.fill(into, done, end, value(chunk, values, run));
            done = end;
            run++;
        }
    }

    /** Finds the run that contains a row. */
    private static int run(MemorySegment chunk, Node ends, int row, int runs) {
        int low = 0;
        int high = runs - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (value(chunk, ends, middle) > row) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
