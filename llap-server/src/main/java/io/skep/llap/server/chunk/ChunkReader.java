package io.skep.llap.server.chunk;

import static io.skep.llap.server.chunk.ChunkFormat.CONSTANT;
import static io.skep.llap.server.chunk.ChunkFormat.DICTIONARY;
import static io.skep.llap.server.chunk.ChunkFormat.FLOATS;
import static io.skep.llap.server.chunk.ChunkFormat.RAW;
import static io.skep.llap.server.chunk.ChunkFormat.STRIDE;
import static io.skep.llap.server.chunk.ChunkFormat.VIEWS;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.VectorKind;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorArrays;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes rows of one chunk into heap vectors. Dictionaries and constants stay encoded at the top level. The creator
 * must ensure that the bytes stay in place. Owned by one thread.
 */
public final class ChunkReader {
    private static final long[] ONE_NULL = {1};
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** A selection counts as few rows if it contains at most one of this number of rows. */
    private static final int FEW = 4;

    private final MemorySegment chunk;
    private final Node root;
    private @Nullable BytesVector dictionary;

    public ChunkReader(MemorySegment chunk) {
        this.chunk = chunk;
        this.root = Node.at(chunk, 0);
    }

    public int rowCount() {
        return root.rows();
    }

    /** Decodes the rows {@code [from, from + count)}. */
    public Vector decode(int from, int count) {
        return decode(from, count, VectorArrays.NEW);
    }

    /**
     * @param arrays for the values; nested vectors get new arrays all the same, because selections of rows share them
     */
    public Vector decode(int from, int count, VectorArrays arrays) {
        if (from < 0 || count < 0 || from + count > root.rows()) {
            throw new IndexOutOfBoundsException(
                    "rows " + from + " to " + (from + count) + " of a chunk of " + root.rows());
        }
        return root.encoding() == DICTIONARY ? dictionary(from, count, arrays) : decode(root, from, count, arrays);
    }

    /**
     * Decodes the rows {@code from + rows[i]} of the range {@code [from, from + span)}. Where values can be accessed
     * individually and few rows are requested, the other rows are not decoded.
     */
    public Vector decode(int from, int span, int[] rows, int count, VectorArrays arrays) {
        boolean few = count * FEW <= span && !root.allNull() && from >= 0 && from + span <= root.rows();
        if (few && root.encoding() == DICTIONARY) {
            long[] ids = arrays.scratch(count);
            LongDecoder.gather(chunk, Node.at(chunk, root.payload()), from, rows, count, ids);
            int[] narrow = new int[count];
            for (int i = 0; i < count; i++) {
                narrow[i] = (int) ids[i];
            }
            long[] nulls = NullMask.select(nulls(root, from, span), rows, count);
            return new DictionaryVector(narrow, entries(), nulls, count);
        }
        if (few && root.kind() == VectorKind.LONG) {
            long[] nulls = NullMask.select(nulls(root, from, span), rows, count);
            long[] values = new long[count];
            LongDecoder.gather(chunk, root, from, rows, count, values);
            return new LongVector(values, nulls, count);
        }
        return decode(from, span, arrays).select(rows, count);
    }

    /**
     * Decodes the same rows, which are ascending, to the arrays. The values of other rows are decoded too and
     * overwritten. Meant for a large part of the rows.
     */
    public Vector retain(int from, int span, int[] rows, int count, VectorArrays arrays) {
        return switch (decode(from, span, arrays)) {
            case LongVector v -> {
                long[] values = v.values();
                for (int i = 0; i < count; i++) {
                    values[i] = values[rows[i]];
                }
                yield new LongVector(values, NullMask.select(v.nulls(), rows, count), count);
            }
            case DoubleVector v -> {
                double[] values = v.values();
                for (int i = 0; i < count; i++) {
                    values[i] = values[rows[i]];
                }
                yield new DoubleVector(values, NullMask.select(v.nulls(), rows, count), count);
            }
            case DictionaryVector v -> {
                retain(v.ids(), rows, count);
                yield new DictionaryVector(v.ids(), v.dictionary(), NullMask.select(v.nulls(), rows, count), count);
            }
            case BytesVector v -> {
                retain(v.offsets(), rows, count);
                retain(v.lengths(), rows, count);
                yield new BytesVector(
                        v.data(), v.offsets(), v.lengths(), NullMask.select(v.nulls(), rows, count), count);
            }
            case Vector v -> v.select(rows, count);
        };
    }

    private static void retain(int[] values, int[] rows, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = values[rows[i]];
        }
    }

    private Vector decode(Node node, int from, int count, VectorArrays arrays) {
        return switch (node.kind()) {
            case LONG -> longs(node, from, count, arrays);
            case DOUBLE -> doubles(node, from, count, arrays);
            case BYTES -> bytes(node, from, count, arrays);
            case DECIMAL128 -> decimals(node, from, count, arrays);
            case TIMESTAMP -> timestamps(node, from, count, arrays);
            case LIST -> list(node, from, count);
            case MAP -> map(node, from, count);
            case STRUCT ->
                new StructVector(parts(node.payload(), node.extra(), from, count), nulls(node, from, count), count);
            case UNION -> union(node, from, count);
        };
    }

    private Vector flat(Node node, int from, int count) {
        return decode(node, from, count, VectorArrays.NEW).flatten();
    }

    private Vector longs(Node node, int from, int count, VectorArrays arrays) {
        if (node.allNull()) {
            return new ConstantVector(new LongVector(new long[1], ONE_NULL, 1), count);
        }
        long[] nulls = nulls(node, from, count);
        if (nulls == null && count > 0 && LongDecoder.isConstant(chunk, node, from, count)) {
            return new ConstantVector(
                    new LongVector(new long[] {LongDecoder.value(chunk, node, from)}, null, 1), count);
        }
        return new LongVector(decoded(node, from, count, arrays.longs(count)), nulls, count);
    }

    private long[] decoded(Node node, int from, int count, long[] into) {
        LongDecoder.decode(chunk, node, from, count, into);
        return into;
    }

    private Vector doubles(Node node, int from, int count, VectorArrays arrays) {
        if (node.allNull()) {
            return new ConstantVector(new DoubleVector(new double[1], ONE_NULL, 1), count);
        }
        long[] nulls = nulls(node, from, count);
        long payload = node.payload();
        double[] values = node.encoding() == CONSTANT ? new double[1] : arrays.doubles(count);
        switch (node.encoding()) {
            case CONSTANT -> values[0] = Double.longBitsToDouble(chunk.get(LongDecoder.LONG, payload));
            case FLOATS -> {
                for (int i = 0; i < count; i++) {
                    values[i] = Float.intBitsToFloat(chunk.get(LongDecoder.INT, payload + 4L * (from + i)));
                }
            }
            case RAW -> MemorySegment.copy(chunk, DOUBLE, payload + 8L * from, values, 0, count);
            default -> throw node.unknown();
        }
        if (node.encoding() != CONSTANT) {
            return new DoubleVector(values, nulls, count);
        }
        Vector constant = new ConstantVector(new DoubleVector(values, null, 1), count);
        return nulls == null ? constant : new DoubleVector(((DoubleVector) constant.flatten()).values(), nulls, count);
    }

    private Vector dictionary(int from, int count, VectorArrays arrays) {
        Node ids = Node.at(chunk, root.payload());
        if (root.allNull()) {
            return nullBytes(count);
        }
        BytesVector entries = entries();
        long[] nulls = nulls(root, from, count);
        if (nulls == null && count > 0 && LongDecoder.isConstant(chunk, ids, from, count)) {
            int id = (int) LongDecoder.value(chunk, ids, from);
            return new ConstantVector(entries.slice(id, 1).compact(), count);
        }
        long[] wide = decoded(ids, from, count, arrays.scratch(count));
        int[] narrow = arrays.ints(count);
        for (int i = 0; i < count; i++) {
            narrow[i] = (int) wide[i];
        }
        return new DictionaryVector(narrow, entries, nulls, count);
    }

    private BytesVector entries() {
        BytesVector entries = dictionary;
        if (entries == null) {
            Node node = Node.at(chunk, Node.at(chunk, root.payload()).end());
            entries = views(node, 0, node.rows(), VectorArrays.NEW);
            dictionary = entries;
        }
        return entries;
    }

    private Vector bytes(Node node, int from, int count, VectorArrays arrays) {
        if (node.allNull()) {
            return nullBytes(count);
        }
        if (node.encoding() != VIEWS) {
            throw node.unknown();
        }
        return views(node, from, count, arrays);
    }

    private static Vector nullBytes(int count) {
        return new ConstantVector(new BytesVector(new byte[0], new int[1], new int[1], ONE_NULL, 1), count);
    }

    private BytesVector views(Node node, int from, int count, VectorArrays arrays) {
        Node lengthsNode = Node.at(chunk, node.payload());
        Spans spans = spans(lengthsNode, node.extra(), from, count, arrays);
        ScratchMemory.count(spans.total());
        byte[] data = new byte[spans.total()];
        MemorySegment.copy(chunk, ValueLayout.JAVA_BYTE, spans.values() + spans.start(), data, 0, data.length);
        return new BytesVector(data, spans.offsets(), spans.lengths(), nulls(node, from, count), count);
    }

    /** The location of the variable-length values of some rows: {@code total} values from {@code start} on. */
    private record Spans(int[] offsets, int[] lengths, int start, int total, long values) {}

    private Spans spans(Node lengthsNode, int strides, int from, int count, VectorArrays arrays) {
        long starts = lengthsNode.end();
        int stride = Math.min(from / STRIDE, Math.max(0, strides - 1));
        int known = stride * STRIDE;
        int start = strides == 0 ? 0 : chunk.get(LongDecoder.INT, starts + 4L * stride);
        int span = from - known + count;
        long[] wide = decoded(lengthsNode, known, span, arrays.scratch(span));
        for (int i = 0; i < from - known; i++) {
            start += (int) wide[i];
        }
        int[] offsets = arrays.ints(count);
        int[] lengths = arrays.ints(count);
        int total = 0;
        for (int i = 0; i < count; i++) {
            int length = (int) wide[from - known + i];
            offsets[i] = total;
            lengths[i] = length;
            total += length;
        }
        long values = starts + (4L * strides + 7 & -8L);
        return new Spans(offsets, lengths, start, total, values);
    }

    private Vector decimals(Node node, int from, int count, VectorArrays arrays) {
        if (node.allNull()) {
            return new ConstantVector(new Decimal128Vector(new long[1], new long[1], ONE_NULL, 1), count);
        }
        Node high = Node.at(chunk, node.payload());
        Node low = Node.at(chunk, high.end());
        return new Decimal128Vector(
                decoded(high, from, count, arrays.longs(count)),
                decoded(low, from, count, arrays.longs(count)),
                nulls(node, from, count),
                count);
    }

    private Vector timestamps(Node node, int from, int count, VectorArrays arrays) {
        if (node.allNull()) {
            return new ConstantVector(new TimestampVector(new long[1], new int[1], ONE_NULL, 1), count);
        }
        Node seconds = Node.at(chunk, node.payload());
        Node nanosNode = Node.at(chunk, seconds.end());
        int[] nanos = arrays.ints(count);
        if (nanosNode.encoding() == CONSTANT) {
            Arrays.fill(nanos, 0, count, (int) chunk.get(LongDecoder.LONG, nanosNode.payload()));
        } else {
            long[] wide = decoded(nanosNode, from, count, arrays.scratch(count));
            for (int i = 0; i < count; i++) {
                nanos[i] = (int) wide[i];
            }
        }
        return new TimestampVector(
                decoded(seconds, from, count, arrays.longs(count)), nanos, nulls(node, from, count), count);
    }

    private Vector list(Node node, int from, int count) {
        Spans spans = spans(Node.at(chunk, node.payload()), node.extra(), from, count, VectorArrays.NEW);
        Vector elements = flat(Node.at(chunk, spans.values()), spans.start(), spans.total());
        return new ListVector(elements, spans.offsets(), spans.lengths(), nulls(node, from, count), count);
    }

    private Vector map(Node node, int from, int count) {
        Spans spans = spans(Node.at(chunk, node.payload()), node.extra(), from, count, VectorArrays.NEW);
        Node keys = Node.at(chunk, spans.values());
        Node values = Node.at(chunk, keys.end());
        return new MapVector(
                flat(keys, spans.start(), spans.total()),
                flat(values, spans.start(), spans.total()),
                spans.offsets(),
                spans.lengths(),
                nulls(node, from, count),
                count);
    }

    private Vector union(Node node, int from, int count) {
        Node tagsNode = Node.at(chunk, node.payload());
        long[] wide = decoded(tagsNode, from, count, new long[count]);
        byte[] tags = new byte[count];
        for (int i = 0; i < count; i++) {
            tags[i] = (byte) wide[i];
        }
        List<Vector> alternatives = parts(tagsNode.end(), node.extra() - 1, from, count);
        return new UnionVector(tags, alternatives, nulls(node, from, count), count);
    }

    private List<Vector> parts(long at, int count, int from, int rows) {
        List<Vector> parts = new ArrayList<>(count);
        long next = at;
        for (int i = 0; i < count; i++) {
            Node part = Node.at(chunk, next);
            parts.add(flat(part, from, rows));
            next = part.end();
        }
        return parts;
    }

    private long @Nullable [] nulls(Node node, int from, int count) {
        return node.nulls(chunk, from, count);
    }
}
