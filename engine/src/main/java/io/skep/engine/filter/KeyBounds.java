package io.skep.engine.filter;

import io.skep.common.vector.Datum;
import io.skep.storage.scan.ColumnPredicate;
import java.util.List;
import java.util.Optional;

/** The values of a key if they are few, otherwise the least and the greatest of them. */
public sealed interface KeyBounds {
    ColumnPredicate predicate(int column);

    record Values(List<Datum> values) implements KeyBounds {
        public Values {
            values = List.copyOf(values);
        }

        @Override
        public ColumnPredicate predicate(int column) {
            return new ColumnPredicate.In(column, values);
        }
    }

    record Range(Datum least, Datum greatest) implements KeyBounds {
        @Override
        public ColumnPredicate predicate(int column) {
            return new ColumnPredicate.Range(column, Optional.of(least), true, Optional.of(greatest), true);
        }
    }
}
