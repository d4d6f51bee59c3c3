package io.skep.ql.physical;

import io.skep.engine.plan.Fragment;
import java.util.List;

/** The distribution of the rows of a plan part over tasks. */
sealed interface Layout {
    Fragment.Distribution distribution();

    /** All rows are in one task. */
    record Single() implements Layout {
        @Override
        public Fragment.Distribution distribution() {
            return Fragment.Distribution.SINGLE;
        }
    }

    /** Rows are distributed as the splits of the scans are assigned. */
    record Source() implements Layout {
        @Override
        public Fragment.Distribution distribution() {
            return Fragment.Distribution.SOURCE;
        }
    }

    /** Rows that are equal in these columns are in the same task. With no columns, nothing is known. */
    record Hashed(List<Integer> columns) implements Layout {
        public Hashed {
            columns = List.copyOf(columns);
        }

        @Override
        public Fragment.Distribution distribution() {
            return Fragment.Distribution.HASH;
        }

        /** Whether rows that are equal in {@code keys} are in the same task. */
        boolean within(List<Integer> keys) {
            return !columns.isEmpty() && keys.containsAll(columns);
        }
    }
}
