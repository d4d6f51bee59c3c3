package io.skep.common.vector;

/**
 * Computes how many values the lists and maps of a batch represent. Rows may share elements, so a batch of few bytes
 * may represent hundreds of millions of values. A writer that copies them one after the other must hold them all.
 */
public final class NestedValues {
    /** Practically infinite. Larger sums and products are capped here. */
    private static final long MOST = 1L << 40;

    private NestedValues() {}

    /**
     * Returns an upper bound for the values in lists and maps of all rows: the rows times the values of the longest.
     */
    public static long bound(Batch batch) {
        long longest = 0;
        for (Vector column : batch.columns()) {
            if (isNested(column)) {
                longest = Math.min(MOST, longest + longest(column));
            }
        }
        return times(longest, batch.rowCount());
    }

    private static boolean isNested(Vector vector) {
        return switch (vector) {
            case ListVector _ -> true;
            case MapVector _ -> true;
            case StructVector _ -> true;
            case UnionVector _ -> true;
            case ConstantVector constant -> isNested(constant.value());
            default -> false;
        };
    }

    private static long longest(Vector vector) {
        return switch (vector) {
            case ListVector list -> times(longest(list, list.lengths()), longest(list.elements()));
            case MapVector map -> times(longest(map, map.lengths()), longest(map.keys()) + longest(map.values()));
            case StructVector struct ->
                struct.fields().stream().mapToLong(NestedValues::longest).sum();
            case UnionVector union ->
                union.alternatives().stream().mapToLong(NestedValues::longest).sum();
            case ConstantVector constant -> longest(constant.value());
            case DictionaryVector words -> longest(words.dictionary());
            default -> 1;
        };
    }

    private static long times(long left, long right) {
        return left > 0 && right > MOST / left ? MOST : left * right;
    }

    private static long longest(Vector nested, int[] lengths) {
        int longest = 0;
        for (int row = 0; row < nested.length(); row++) {
            if (lengths[row] > longest && !nested.isNull(row)) {
                longest = lengths[row];
            }
        }
        return longest;
    }
}
