package io.skep.engine.rows;

import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
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
import io.skep.common.vector.VectorAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Concatenates batches to one batch with its own arrays. A dictionary that all batches share is kept. */
public final class Concatenation {
    private Concatenation() {}

    public static Batch of(List<Batch> batches, List<SqlType> types) {
        if (batches.size() == 1) {
            return batches.getFirst();
        }
        int rows = 0;
        for (Batch batch : batches) {
            rows = Math.addExact(rows, batch.rowCount());
        }
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            int column = i;
            columns.add(vectors(map(batches, batch -> batch.column(column)), types.get(i), rows));
        }
        return new Batch(columns, rows);
    }

    /** @param rows the sum of the parts' lengths */
    public static Vector vectors(List<Vector> parts, SqlType type, int rows) {
        if (parts.isEmpty()) {
            return VectorAppender.empty(type);
        }
        if (sharesDictionary(parts)) {
            return dictionaries(map(parts, part -> (DictionaryVector) part), rows);
        }
        List<Vector> flat = map(parts, Vector::flatten);
        long[] nulls = nulls(parts, rows);
        return switch (type.vectorKind()) {
            case LONG -> new LongVector(longs(flat, part -> ((LongVector) part).values(), rows), nulls, rows);
            case DOUBLE -> doubles(flat, nulls, rows);
            case BYTES -> bytes(map(flat, part -> (BytesVector) part), nulls, rows);
            case DECIMAL128 ->
                new Decimal128Vector(
                        longs(flat, part -> ((Decimal128Vector) part).high(), rows),
                        longs(flat, part -> ((Decimal128Vector) part).low(), rows),
                        nulls,
                        rows);
            case TIMESTAMP ->
                new TimestampVector(
                        longs(flat, part -> ((TimestampVector) part).seconds(), rows),
                        ints(flat, part -> ((TimestampVector) part).nanos(), rows),
                        nulls,
                        rows);
            case LIST -> lists(map(flat, part -> (ListVector) part), (ArrayType) type, nulls, rows);
            case MAP -> maps(map(flat, part -> (MapVector) part), (MapType) type, nulls, rows);
            case STRUCT -> structs(map(flat, part -> (StructVector) part), (StructType) type, nulls, rows);
            case UNION -> unions(map(flat, part -> (UnionVector) part), (UnionType) type, nulls, rows);
        };
    }

    private static boolean sharesDictionary(List<Vector> parts) {
        Vector first = parts.getFirst();
        if (!(first instanceof DictionaryVector shared)) {
            return false;
        }
        for (Vector part : parts) {
            if (!(part instanceof DictionaryVector other) || other.dictionary() != shared.dictionary()) {
                return false;
            }
        }
        return true;
    }

    private static Vector dictionaries(List<DictionaryVector> parts, int rows) {
        int[] ids = ints(parts, DictionaryVector::ids, rows);
        return new DictionaryVector(ids, parts.getFirst().dictionary(), nulls(parts, rows), rows);
    }

    private static <T, R> List<R> map(List<T> list, Function<T, R> function) {
        List<R> mapped = new ArrayList<>(list.size());
        for (T item : list) {
            mapped.add(function.apply(item));
        }
        return mapped;
    }

    private static <T extends Vector> long @Nullable [] nulls(List<T> parts, int rows) {
        long[] nulls = null;
        int at = 0;
        for (T part : parts) {
            long[] mask = part.nulls();
            if (mask != null) {
                nulls = nulls == null ? new long[(rows + 63) >>> 6] : nulls;
                for (int i = 0; i < part.length(); i++) {
                    int row = at + i;
                    nulls[row >> 6] |= (mask[i >> 6] >>> i & 1L) << row;
                }
            }
            at += part.length();
        }
        return nulls;
    }

    private static <T extends Vector> long[] longs(List<T> parts, Function<T, long[]> array, int rows) {
        long[] all = new long[rows];
        int at = 0;
        for (T part : parts) {
            System.arraycopy(array.apply(part), 0, all, at, part.length());
            at += part.length();
        }
        return all;
    }

    private static <T extends Vector> int[] ints(List<T> parts, Function<T, int[]> array, int rows) {
        int[] all = new int[rows];
        int at = 0;
        for (T part : parts) {
            System.arraycopy(array.apply(part), 0, all, at, part.length());
            at += part.length();
        }
        return all;
    }

    private static Vector doubles(List<Vector> parts, long @Nullable [] nulls, int rows) {
        double[] all = new double[rows];
        int at = 0;
        for (Vector part : parts) {
            System.arraycopy(((DoubleVector) part).values(), 0, all, at, part.length());
            at += part.length();
        }
        return new DoubleVector(all, nulls, rows);
    }

    private static Vector bytes(List<BytesVector> parts, long @Nullable [] nulls, int rows) {
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        int row = 0;
        int total = 0;
        for (BytesVector part : parts) {
            for (int i = 0; i < part.length(); i++) {
                lengths[row] = part.isNull(i) ? 0 : part.lengths()[i];
                offsets[row] = total;
                total = Math.addExact(total, lengths[row++]);
            }
        }
        byte[] data = new byte[total];
        row = 0;
        for (BytesVector part : parts) {
            for (int i = 0; i < part.length(); i++, row++) {
                System.arraycopy(part.data(), part.offsets()[i], data, offsets[row], lengths[row]);
            }
        }
        return new BytesVector(data, offsets, lengths, nulls, rows);
    }

    private static <T extends Vector> int[] shifted(
            List<T> parts, Function<T, int[]> offsets, Function<T, Vector> elements, int rows) {
        int[] all = ints(parts, offsets, rows);
        int row = 0;
        int shift = 0;
        for (T part : parts) {
            for (int i = 0; i < part.length(); i++) {
                all[row++] += shift;
            }
            shift = Math.addExact(shift, elements.apply(part).length());
        }
        return all;
    }

    private static int total(List<Vector> parts) {
        int total = 0;
        for (Vector part : parts) {
            total = Math.addExact(total, part.length());
        }
        return total;
    }

    private static Vector joined(List<Vector> parts, SqlType type) {
        return vectors(parts, type, total(parts));
    }

    private static Vector lists(List<ListVector> parts, ArrayType type, long @Nullable [] nulls, int rows) {
        Vector elements = joined(map(parts, ListVector::elements), type.element());
        int[] offsets = shifted(parts, ListVector::offsets, ListVector::elements, rows);
        return new ListVector(elements, offsets, ints(parts, ListVector::lengths, rows), nulls, rows);
    }

    private static Vector maps(List<MapVector> parts, MapType type, long @Nullable [] nulls, int rows) {
        Vector keys = joined(map(parts, MapVector::keys), type.key());
        Vector values = joined(map(parts, MapVector::values), type.value());
        int[] offsets = shifted(parts, MapVector::offsets, MapVector::keys, rows);
        return new MapVector(keys, values, offsets, ints(parts, MapVector::lengths, rows), nulls, rows);
    }

    private static Vector structs(List<StructVector> parts, StructType type, long @Nullable [] nulls, int rows) {
        List<Vector> fields = new ArrayList<>();
        for (int i = 0; i < type.fields().size(); i++) {
            int field = i;
            List<Vector> columns = map(parts, part -> part.fields().get(field).slice(0, part.length()));
            fields.add(vectors(columns, type.fields().get(i).type(), rows));
        }
        return new StructVector(fields, nulls, rows);
    }

    private static Vector unions(List<UnionVector> parts, UnionType type, long @Nullable [] nulls, int rows) {
        List<Vector> alternatives = new ArrayList<>();
        for (int i = 0; i < type.alternatives().size(); i++) {
            int alternative = i;
            List<Vector> columns =
                    map(parts, part -> part.alternatives().get(alternative).slice(0, part.length()));
            alternatives.add(vectors(columns, type.alternatives().get(i), rows));
        }
        byte[] tags = new byte[rows];
        int at = 0;
        for (UnionVector part : parts) {
            System.arraycopy(part.tags(), 0, tags, at, part.length());
            at += part.length();
        }
        return new UnionVector(tags, alternatives, nulls, rows);
    }
}
