package io.skep.engine.rows;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.util.ArrayList;
import java.util.List;

/** Copies vectors out of arrays that hold much more than their rows. Used for batches that are kept. */
public final class Compaction {
    private static final int WASTE = 2;

    private Compaction() {}

    public static Batch of(Batch batch, List<SqlType> types) {
        List<Vector> columns = new ArrayList<>(types.size());
        for (int i = 0; i < types.size(); i++) {
            columns.add(of(batch.column(i), types.get(i)));
        }
        return new Batch(columns, batch.rowCount());
    }

    private static Vector of(Vector vector, SqlType type) {
        return switch (vector) {
            case BytesVector v -> wasteful(v.data().length, used(v)) ? v.compact() : v;
            case DictionaryVector v -> v.dictionary().length() > v.length() ? of(v.flatten(), type) : v;
            case ConstantVector v -> v.flatten();
            case ListVector v -> wasteful(v.elements().length(), sum(v, v.lengths())) ? copy(v, type) : v;
            case MapVector v -> wasteful(v.keys().length(), sum(v, v.lengths())) ? copy(v, type) : v;
            case StructVector v -> copy(v, type);
            case UnionVector v -> copy(v, type);
            default -> vector;
        };
    }

    private static long used(BytesVector vector) {
        return sum(vector, vector.lengths());
    }

    private static long sum(Vector vector, int[] lengths) {
        long sum = 0;
        for (int i = 0; i < vector.length(); i++) {
            sum += vector.isNull(i) ? 0 : lengths[i];
        }
        return sum;
    }

    private static boolean wasteful(long held, long used) {
        return held > WASTE * used + 64;
    }

    private static Vector copy(Vector vector, SqlType type) {
        VectorAppender appender = VectorAppender.of(type);
        for (int i = 0; i < vector.length(); i++) {
            appender.append(vector, i);
        }
        return appender.build();
    }
}
