package io.skep.engine.aggregate;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;

/** Estimates the heap bytes of the first rows of a vector as objects. */
final class ValueBytes {
    private ValueBytes() {}

    /** @param overhead the bytes of one object, in addition to the bytes of its value */
    static long of(Vector values, int rows, int overhead) {
        long objects = (long) overhead * rows;
        return switch (values) {
            case BytesVector v -> objects + sum(v, v.lengths(), rows);
            case ListVector v -> objects + share(v.elements(), sum(v, v.lengths(), rows), overhead);
            case MapVector v -> {
                long entries = sum(v, v.lengths(), rows);
                yield objects + share(v.keys(), entries, overhead) + share(v.values(), entries, overhead);
            }
            case StructVector v ->
                objects
                        + v.fields().stream()
                                .mapToLong(field -> of(field, Math.min(rows, field.length()), overhead))
                                .sum();
            case UnionVector v -> objects + v.retainedBytes();
            case DictionaryVector v -> of(v.flatten(), rows, overhead);
            case ConstantVector v -> objects + rows * of(v.value(), 1, overhead);
            default -> objects;
        };
    }

    private static long sum(Vector values, int[] lengths, int rows) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += values.isNull(i) ? 0 : lengths[i];
        }
        return sum;
    }

    /**
     * Scales the bytes of all elements to the used ones, because rows may use some elements not at all or more than
     * once.
     */
    private static long share(Vector elements, long used, int overhead) {
        int all = elements.length();
        return all == 0 ? 0 : of(elements, all, overhead) * used / all;
    }
}
