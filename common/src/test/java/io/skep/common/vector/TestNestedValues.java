package io.skep.common.vector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestNestedValues {
    private final LongVector numbers = new LongVector(new long[] {1, 2, 3, 4}, null, 4);

    @Test
    void sharedElementsCountForEachRow() {
        ListVector lists = new ListVector(numbers, new int[] {0, 0, 0}, new int[] {4, 4, 1}, null, 3);
        assertThat(NestedValues.bound(Batch.of(3, lists))).isEqualTo(12);
    }

    @Test
    void nestedListsMultiply() {
        ListVector inner = new ListVector(numbers, new int[] {0, 0}, new int[] {4, 3}, null, 2);
        ListVector outer = new ListVector(inner, new int[] {0, 0}, new int[] {2, 2}, null, 2);
        assertThat(NestedValues.bound(Batch.of(2, outer))).isEqualTo(2 * 2 * 4);
    }

    /** Elements are shared, so a few lists represent more values than a long can hold. */
    @Test
    void endlessProductsStayLarge() {
        Vector nested = new LongVector(new long[1 << 20], null, 1 << 20);
        for (int depth = 0; depth < 4; depth++) {
            int rows = 1 << 20;
            int[] lengths = new int[rows];
            lengths[0] = rows;
            nested = new ListVector(nested, new int[rows], lengths, null, rows);
        }
        assertThat(NestedValues.bound(Batch.of(1 << 20, nested))).isGreaterThan(1L << 39);
    }

    @Test
    void plainColumnsAndNullsCountForNothing() {
        ListVector nulls = new ListVector(numbers, new int[1], new int[] {4}, NullMask.allNull(1), 1);
        assertThat(NestedValues.bound(Batch.of(1, nulls))).isZero();
        assertThat(NestedValues.bound(Batch.of(4, numbers))).isZero();
    }
}
