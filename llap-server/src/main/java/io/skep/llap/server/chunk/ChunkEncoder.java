package io.skep.llap.server.chunk;

import static io.skep.llap.server.chunk.ChunkFormat.ALL_NULL;
import static io.skep.llap.server.chunk.ChunkFormat.CONSTANT;
import static io.skep.llap.server.chunk.ChunkFormat.DICTIONARY;
import static io.skep.llap.server.chunk.ChunkFormat.FLOATS;
import static io.skep.llap.server.chunk.ChunkFormat.NO_NULLS;
import static io.skep.llap.server.chunk.ChunkFormat.PARTS;
import static io.skep.llap.server.chunk.ChunkFormat.RAW;
import static io.skep.llap.server.chunk.ChunkFormat.SOME_NULLS;
import static io.skep.llap.server.chunk.ChunkFormat.STRIDE;
import static io.skep.llap.server.chunk.ChunkFormat.VIEWS;

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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes one column of one row group. Owned by one thread, and used for one chunk. */
public final class ChunkEncoder {
    private final long maxBytes;
    private final ByteSink sink;

    private ChunkEncoder(int initialBytes, long maxBytes) {
        this.maxBytes = maxBytes;
        this.sink = new ByteSink(initialBytes, maxBytes);
    }

    /**
     * Encodes the chunk of a column.
     *
     * @param parts its vectors in row order, all of one kind; at least one
     * @throws ChunkTooLargeException when it does not fit into one chunk
     */
    public static byte[] encode(List<Vector> parts) {
        return encode(parts, Long.MAX_VALUE);
    }

    /**
     * Does the same for a chunk of limited size.
     *
     * @throws ChunkTooLargeException when the chunk is larger than the limit, or contains text without a dictionary
     *     that is larger
     */
    public static byte[] encode(List<Vector> parts, long maxBytes) {
        ChunkEncoder encoder = new ChunkEncoder(parts.getFirst().length() * 4 + 256, maxBytes);
        encoder.column(parts);
        return encoder.sink.toByteArray();
    }

    private void column(List<Vector> parts) {
        DictionaryIds ids = DictionaryIds.ofShared(parts);
        if (ids != null && ids.isWorthwhile()) {
            dictionary(ids);
            return;
        }
        if (textBytes(parts) > maxBytes) {
            throw new ChunkTooLargeException();
        }
        Vector whole = Concatenation.of(parts);
        if (whole instanceof BytesVector bytes) {
            DictionaryIds built = DictionaryIds.build(bytes);
            if (built != null) {
                dictionary(built);
                return;
            }
        }
        flat(whole);
    }

    private static long textBytes(List<Vector> parts) {
        long bytes = 0;
        for (Vector part : parts) {
            if (part instanceof BytesVector texts) {
                bytes += texts.data().length;
            }
        }
        return bytes;
    }

    private void flat(Vector vector) {
        switch (vector) {
            case LongVector v -> new LongEncoder(sink).encode(v.values(), v.nulls(), v.length());
            case DoubleVector v -> doubles(v);
            case BytesVector v -> bytes(v);
            case Decimal128Vector v -> {
                int node = begin(VectorKind.DECIMAL128, PARTS, v, 2);
                longs(v.high(), v.length());
                longs(v.low(), v.length());
                end(node);
            }
            case TimestampVector v -> {
                int node = begin(VectorKind.TIMESTAMP, PARTS, v, 2);
                longs(v.seconds(), v.length());
                longs(widen(v.nanos(), v.length()), v.length());
                end(node);
            }
            case StructVector v -> {
                int node = begin(VectorKind.STRUCT, PARTS, v, v.fields().size());
                v.fields().forEach(field -> flat(field.flatten()));
                end(node);
            }
            case UnionVector v -> union(v);
            case ListVector v -> list(v);
            case MapVector v -> map(v);
            case DictionaryVector v -> flat(v.flatten());
            case ConstantVector v -> flat(v.flatten());
        }
    }

    private void union(UnionVector v) {
        int node = begin(VectorKind.UNION, PARTS, v, v.alternatives().size() + 1);
        long[] tags = new long[v.length()];
        for (int i = 0; i < tags.length; i++) {
            tags[i] = v.tags()[i];
        }
        longs(tags, v.length());
        v.alternatives().forEach(alternative -> flat(alternative.flatten()));
        end(node);
    }

    private void list(ListVector v) {
        Views views = new Views(v.offsets(), v.lengths(), v.nulls(), v.length());
        int node = beginViews(VectorKind.LIST, v, views);
        flat(v.elements().select(views.positions(), views.total()).flatten());
        end(node);
    }

    private void map(MapVector v) {
        Views views = new Views(v.offsets(), v.lengths(), v.nulls(), v.length());
        int node = beginViews(VectorKind.MAP, v, views);
        int[] positions = views.positions();
        flat(v.keys().select(positions, views.total()).flatten());
        flat(v.values().select(positions, views.total()).flatten());
        end(node);
    }

    private void bytes(BytesVector v) {
        Views views = new Views(v.offsets(), v.lengths(), v.nulls(), v.length());
        int node = beginViews(VectorKind.BYTES, v, views);
        for (int i = 0; i < v.length(); i++) {
            if (!v.isNull(i)) {
                sink.putBytes(v.data(), v.offsets()[i], v.lengths()[i]);
            }
        }
        sink.align();
        end(node);
    }

    private int beginViews(VectorKind kind, Vector vector, Views views) {
        int strides = (vector.length() + STRIDE - 1) / STRIDE;
        int node = begin(kind, VIEWS, vector, strides);
        longs(views.lengths(), vector.length());
        for (int stride = 0; stride < strides; stride++) {
            sink.putInt(views.start(stride * STRIDE));
        }
        sink.align();
        return node;
    }

    private void doubles(DoubleVector v) {
        double[] values = v.values();
        double first = v.length() == 0 ? 0 : values[0];
        boolean constant = true;
        boolean floats = true;
        for (int i = 0; i < v.length(); i++) {
            long bits = Double.doubleToRawLongBits(values[i]);
            constant &= bits == Double.doubleToRawLongBits(first);
            floats &= bits == Double.doubleToRawLongBits((float) values[i]);
        }
        byte encoding = constant ? CONSTANT : floats ? FLOATS : RAW;
        int node = begin(VectorKind.DOUBLE, encoding, v, 0);
        if (constant) {
            sink.putLong(Double.doubleToRawLongBits(first));
        } else {
            for (int i = 0; i < v.length(); i++) {
                if (floats) {
                    sink.putInt(Float.floatToRawIntBits((float) values[i]));
                } else {
                    sink.putLong(Double.doubleToRawLongBits(values[i]));
                }
            }
            sink.align();
        }
        end(node);
    }

    private void dictionary(DictionaryIds ids) {
        int node = begin(VectorKind.BYTES, DICTIONARY, ids.nulls(), ids.rows(), 0);
        longs(widen(ids.ids(), ids.rows()), ids.rows());
        bytes(ids.entries());
        end(node);
    }

    private void longs(long[] values, int rows) {
        new LongEncoder(sink).encode(values, null, rows);
    }

    private static long[] widen(int[] values, int rows) {
        long[] wide = new long[rows];
        for (int i = 0; i < rows; i++) {
            wide[i] = values[i];
        }
        return wide;
    }

    private int begin(VectorKind kind, byte encoding, Vector vector, int extra) {
        return begin(kind, encoding, vector.nulls(), vector.length(), extra);
    }

    private int begin(VectorKind kind, byte encoding, long @Nullable [] nulls, int rows, int extra) {
        return beginNode(sink, kind, encoding, nulls, rows, extra);
    }

    private void end(int node) {
        endNode(sink, node);
    }

    static int beginNode(ByteSink sink, VectorKind kind, byte encoding, long @Nullable [] nulls, int rows, int extra) {
        int node = sink.length();
        int nullCount = NullMask.count(nulls, rows);
        byte nullness = nulls == null || nullCount == 0 ? NO_NULLS : nullCount == rows ? ALL_NULL : SOME_NULLS;
        sink.putByte(kind.ordinal());
        sink.putByte(encoding);
        sink.putByte(nullness);
        sink.putByte(0);
        sink.putInt(rows);
        sink.putInt(0);
        sink.putInt(extra);
        if (nulls != null && nullness == SOME_NULLS) {
            for (int i = 0; i < NullMask.words(rows); i++) {
                sink.putLong(nulls[i]);
            }
        }
        return node;
    }

    static void endNode(ByteSink sink, int node) {
        sink.setInt(node + 8, sink.length() - node);
    }
}
