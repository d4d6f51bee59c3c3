package io.skep.service.session;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;

/** Computes how many rows of a batch fit in a page, by their size without dictionary and constant encoding. */
final class RowBytes {
    private static final int VALUE_BYTES = 16;
    private static final int SMALL_BYTES = 256 << 10;

    private RowBytes() {}

    /** The number of rows from {@code from} whose total bytes are at most {@code most}, and these bytes. */
    record Fit(int rows, long bytes) {}

    /** Returns at least one row, so that a row larger than a page can be sent too. */
    static Fit fit(Batch batch, int from, int maxRows, long most) {
        long plain = (long) maxRows * batch.columnCount() * VALUE_BYTES;
        if (plain <= most && !mayBeLarge(batch)) {
            return new Fit(maxRows, plain);
        }
        long bytes = 0;
        for (int rows = 0; rows < maxRows; rows++) {
            long next = 0;
            for (Vector column : batch.columns()) {
                next += bytes(column, from + rows);
            }
            if (rows > 0 && bytes + next > most) {
                return new Fit(rows, bytes);
            }
            bytes += next;
        }
        return new Fit(maxRows, bytes);
    }

    /** Whether rows may be so large that their sizes must be computed one by one. */
    private static boolean mayBeLarge(Batch batch) {
        for (Vector column : batch.columns()) {
            boolean small = switch (column) {
                case BytesVector texts -> texts.data().length <= SMALL_BYTES;
                case DictionaryVector words -> isSmall(words.dictionary(), words.length());
                case ConstantVector constant -> isSmall(constant.value(), constant.length());
                case ListVector ignored -> false;
                case MapVector ignored -> false;
                case StructVector ignored -> false;
                case UnionVector ignored -> false;
                default -> true;
            };
            if (!small) {
                return true;
            }
        }
        return false;
    }

    /** Whether the values are small even if all rows had the largest value. */
    private static boolean isSmall(Vector values, int rows) {
        return switch (values) {
            case BytesVector texts -> (long) texts.data().length * rows <= SMALL_BYTES;
            case ListVector ignored -> false;
            case MapVector ignored -> false;
            case StructVector ignored -> false;
            case UnionVector ignored -> false;
            default -> true;
        };
    }

    private static long bytes(Vector vector, int row) {
        if (vector.isNull(row)) {
            return VALUE_BYTES;
        }
        return VALUE_BYTES
                + switch (vector) {
                    case BytesVector texts -> texts.lengths()[row];
                    case DictionaryVector words -> bytes(words.dictionary(), words.ids()[row]);
                    case ConstantVector constant -> bytes(constant.value(), 0);
                    case ListVector list -> sum(list.elements(), list.offsets()[row], list.lengths()[row]);
                    case MapVector map ->
                        sum(map.keys(), map.offsets()[row], map.lengths()[row])
                                + sum(map.values(), map.offsets()[row], map.lengths()[row]);
                    case StructVector struct ->
                        struct.fields().stream()
                                .mapToLong(field -> bytes(field, row))
                                .sum();
                    case UnionVector union -> bytes(union.alternatives().get(union.tags()[row]), row);
                    default -> 0;
                };
    }

    private static long sum(Vector elements, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += bytes(elements, i);
        }
        return sum;
    }
}
