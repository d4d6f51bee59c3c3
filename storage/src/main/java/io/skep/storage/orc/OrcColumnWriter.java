package io.skep.storage.orc;

import io.skep.common.type.ArrayType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.ql.exec.vector.BytesColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DateColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DecimalColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.DoubleColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.ListColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MapColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.MultiValuedColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.TimestampColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.UnionColumnVector;

/** Copies Skep's vectors to the vectors of ORC's writer. */
final class OrcColumnWriter {
    private OrcColumnWriter() {}

    /** Fills the first {@code vector.length()} rows of the target. The target was reset before. */
    static void fill(Vector vector, SqlType type, ColumnVector target) {
        Vector flat = vector.flatten();
        int rows = flat.length();
        target.reset();
        target.ensureSize(rows, false);
        if (target instanceof DateColumnVector date) {
            date.setUsingProlepticCalendar(true);
        }
        if (flat.mayHaveNulls()) {
            for (int i = 0; i < rows; i++) {
                if (flat.isNull(i)) {
                    target.isNull[i] = true;
                    target.noNulls = false;
                }
            }
        }
        switch (flat) {
            case LongVector v -> System.arraycopy(v.values(), 0, ((LongColumnVector) target).vector, 0, rows);
            case DoubleVector v -> System.arraycopy(v.values(), 0, ((DoubleColumnVector) target).vector, 0, rows);
            case BytesVector v -> bytes(v, (BytesColumnVector) target);
            case Decimal128Vector v -> decimals(v, ((DecimalType) type).scale(), (DecimalColumnVector) target);
            case TimestampVector v -> timestamps(v, (TimestampColumnVector) target);
            case ListVector v -> list(v, (ArrayType) type, (ListColumnVector) target);
            case MapVector v -> map(v, (MapType) type, (MapColumnVector) target);
            case StructVector v -> {
                StructColumnVector struct = (StructColumnVector) target;
                for (int i = 0; i < struct.fields.length; i++) {
                    fill(v.fields().get(i), ((StructType) type).fields().get(i).type(), struct.fields[i]);
                }
            }
            case UnionVector v -> union(v, (UnionType) type, (UnionColumnVector) target);
            default -> throw new IllegalStateException("not flat: " + flat.getClass());
        }
    }

    private static void bytes(BytesVector vector, BytesColumnVector target) {
        for (int i = 0; i < vector.length(); i++) {
            if (!vector.isNull(i)) {
                target.setRef(i, vector.data(), vector.offsets()[i], vector.lengths()[i]);
            }
        }
    }

    private static void decimals(Decimal128Vector vector, int scale, DecimalColumnVector target) {
        for (int i = 0; i < vector.length(); i++) {
            if (!vector.isNull(i)) {
                target.vector[i].set(HiveDecimal.create(vector.unscaled(i), scale));
            }
        }
    }

    private static void timestamps(TimestampVector vector, TimestampColumnVector target) {
        target.setIsUTC(true);
        target.setUsingProlepticCalendar(true);
        for (int i = 0; i < vector.length(); i++) {
            target.time[i] = vector.seconds()[i] * 1000 + vector.nanos()[i] / 1_000_000;
            target.nanos[i] = vector.nanos()[i];
        }
    }

    private static void list(ListVector vector, ArrayType type, ListColumnVector target) {
        int[] positions = positions(vector, vector.offsets(), vector.lengths(), target);
        fill(vector.elements().select(positions, positions.length), type.element(), target.child);
    }

    private static void map(MapVector vector, MapType type, MapColumnVector target) {
        int[] positions = positions(vector, vector.offsets(), vector.lengths(), target);
        fill(vector.keys().select(positions, positions.length), type.key(), target.keys);
        fill(vector.values().select(positions, positions.length), type.value(), target.values);
    }

    /** Lays out the entries of all rows contiguously, as ORC's writer requires. */
    private static int[] positions(Vector vector, int[] offsets, int[] lengths, MultiValuedColumnVector target) {
        int rows = vector.length();
        int total = 0;
        for (int i = 0; i < rows; i++) {
            int length = vector.isNull(i) ? 0 : lengths[i];
            target.offsets[i] = total;
            target.lengths[i] = length;
            total += length;
        }
        int[] positions = new int[total];
        int at = 0;
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < target.lengths[i]; k++) {
                positions[at++] = offsets[i] + k;
            }
        }
        target.childCount = total;
        return positions;
    }

    private static void union(UnionVector vector, UnionType type, UnionColumnVector target) {
        for (int i = 0; i < vector.length(); i++) {
            target.tags[i] = vector.tags()[i];
        }
        for (int i = 0; i < target.fields.length; i++) {
            fill(vector.alternatives().get(i), type.alternatives().get(i), target.fields[i]);
        }
    }
}
