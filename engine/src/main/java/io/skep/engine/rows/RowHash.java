package io.skep.engine.rows;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The only hash of rows. Equal values of one type have equal hashes in every process, so that exchanges, joins and
 * aggregations agree. All 64 bits are well mixed. Exchanges choose partitions by the upper half, tables choose slots by
 * the lower half.
 */
public final class RowHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long PRIME = 0x9E3779B97F4A7C15L;
    private static final long NULL = 0x6A09E667F3BCC909L;

    private RowHash() {}

    /**
     * Hashes rows of {@code columns} to {@code hashes[0..rows)}, combining all columns. Without columns, all rows have
     * the same hash.
     */
    public static void hash(List<Vector> columns, int rows, long[] hashes) {
        if (columns.isEmpty()) {
            java.util.Arrays.fill(hashes, 0, rows, 0);
        }
        long[] own = columns.size() > 1 ? new long[rows] : hashes;
        for (int column = 0; column < columns.size(); column++) {
            hashColumn(columns.get(column), rows, column == 0 ? hashes : own);
            if (column > 0) {
                for (int i = 0; i < rows; i++) {
                    hashes[i] = hashes[i] * PRIME + own[i];
                }
            }
        }
        if (columns.size() > 1) {
            for (int i = 0; i < rows; i++) {
                hashes[i] = mix(hashes[i]);
            }
        }
    }

    /** Hashes {@code values[from..from + count)} to {@code hashes[0..count)}. None of the values is null. */
    static void hash(long[] values, int from, int count, long[] hashes) {
        for (int i = 0; i < count; i++) {
            hashes[i] = mix(values[from + i]);
        }
    }

    /** Returns the partition, from 0 to {@code partitions} exclusive, to which a hash belongs. */
    public static int partition(long hash, int partitions) {
        return (int) ((hash >>> 32) * partitions >>> 32);
    }

    /** A bijection in which every bit affects all others (the finalizer of MurmurHash3). */
    public static long mix(long value) {
        long h = value;
        h = (h ^ h >>> 33) * 0xFF51AFD7ED558CCDL;
        h = (h ^ h >>> 33) * 0xC4CEB9FE1A85EC53L;
        return h ^ h >>> 33;
    }

    private static void hashColumn(Vector column, int rows, long[] hashes) {
        switch (column) {
            case LongVector v -> hash(v.values(), 0, rows, hashes);
            case DictionaryVector v
            when v.dictionary().length() <= rows && v.dictionary().length() > 0 -> {
                long[] entries = new long[v.dictionary().length()];
                hashColumn(v.dictionary(), entries.length, entries);
                int[] ids = v.ids();
                for (int i = 0; i < rows; i++) {
                    hashes[i] = entries[ids[i]];
                }
            }
            case DictionaryVector v -> {
                for (int i = 0; i < rows; i++) {
                    hashes[i] = v.isNull(i) ? NULL : hash(v.dictionary(), v.ids()[i]);
                }
            }
            case ConstantVector v -> java.util.Arrays.fill(hashes, 0, rows, hash(v.value(), 0));
            case BytesVector v -> {
                byte[] data = v.data();
                int[] offsets = v.offsets();
                int[] lengths = v.lengths();
                boolean nulls = v.mayHaveNulls();
                for (int i = 0; i < rows; i++) {
                    hashes[i] = nulls && v.isNull(i) ? NULL : hash(data, offsets[i], lengths[i]);
                }
            }
            default -> {
                for (int i = 0; i < rows; i++) {
                    hashes[i] = hash(column, i);
                }
            }
        }
        setNulls(column.nulls(), rows, hashes);
    }

    private static void setNulls(long @org.jspecify.annotations.Nullable [] nulls, int rows, long[] hashes) {
        if (nulls != null) {
            for (int i = 0; i < rows; i++) {
                if ((nulls[i >> 6] >>> i & 1) != 0) {
                    hashes[i] = NULL;
                }
            }
        }
    }

    /** Returns the hash of one value. */
    public static long hash(Vector vector, int row) {
        if (vector.isNull(row)) {
            return NULL;
        }
        return switch (vector) {
            case LongVector v -> mix(v.values()[row]);
            case DoubleVector v -> mix(Double.doubleToLongBits(v.values()[row] + 0.0));
            case BytesVector v -> hash(v.data(), v.offsets()[row], v.lengths()[row]);
            case Decimal128Vector v -> mix(v.high()[row] * PRIME + v.low()[row]);
            case TimestampVector v -> mix(v.seconds()[row] * PRIME + v.nanos()[row]);
            case ListVector v -> range(v.elements(), v.offsets()[row], v.lengths()[row]);
            case MapVector v -> entries(v, v.offsets()[row], v.lengths()[row]);
            case StructVector v -> fields(v, row);
            case UnionVector v ->
                mix(v.tags()[row] * PRIME + hash(v.alternatives().get(v.tags()[row]), row));
            case DictionaryVector v -> hash(v.dictionary(), v.ids()[row]);
            case ConstantVector v -> hash(v.value(), 0);
        };
    }

    private static long fields(StructVector struct, int row) {
        long h = 1;
        for (Vector field : struct.fields()) {
            h = h * PRIME + hash(field, row);
        }
        return mix(h);
    }

    /** Returns the hash of a map's entries, whatever their order. */
    private static long entries(MapVector map, int from, int count) {
        long h = count;
        for (int i = from; i < from + count; i++) {
            h += mix(hash(map.keys(), i) * PRIME + hash(map.values(), i));
        }
        return mix(h);
    }

    private static long range(Vector elements, int from, int count) {
        long h = count;
        for (int i = 0; i < count; i++) {
            h = h * PRIME + hash(elements, from + i);
        }
        return mix(h);
    }

    private static long hash(byte[] data, int from, int count) {
        long h = count * PRIME;
        int at = from;
        int end = from + count;
        while (end - at >= 8) {
            h = (h ^ (long) LONGS.get(data, at)) * PRIME;
            h ^= h >>> 32;
            at += 8;
        }
        long rest = 0;
        for (int shift = 0; at < end; at++, shift += 8) {
            rest |= (data[at] & 0xFFL) << shift;
        }
        return mix(h ^ rest);
    }
}
