package io.skep.ql.physical;

import io.skep.engine.plan.Fragment;
import java.util.List;

/** How the rows of a part of the plan are spread over tasks. */
sealed interface Layout {
    Fragment.Distribution distribution();

    /** All in one task. */
    record Single() implements Layout {
        @Override
        public Fragment.Distribution distribution() {
            return Fragment.Distribution.SINGLE;
        }
    }

    /** As the splits of scans fall. */
    record Source() implements Layout {
        @Override
        public Fragment.Distribution distribution() {
            return Fragment.Distribution.SOURCE;
        }
    }

    /** Rows that are equal in these columns are in one task; with no columns, nothing is known. */
    record Hashed(List<Integer> columns) implements Layout {
        public Hashed {
            columns = List.copyOf(columns);
        }

        @Override
        public Fragment.Distribution distribution() {
            return Fragment.Distribution.HASH;
        }

        /** Whether rows that are equal in {@code keys} are in one task. */
        boolean within(List<Integer> keys) {
            return !columns.isEmpty() && keys.containsAll(columns);
        }
    }
}
