package io.skep.metastore.system;

import io.skep.common.type.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of a system table.
 *
 * @param fields expressions of SQL over the metastore's database from which the value follows; none for a constant
 * @param comparable whether the value is that of the only field, and the database can compare it
 */
public record SystemColumn(String name, SqlType type, List<String> fields, Value value, boolean comparable) {
    public SystemColumn {
        fields = List.copyOf(fields);
    }

    /** Computes a column's value. */
    @FunctionalInterface
    public interface Value {
        /**
         * @param fields the texts of the column's fields
         * @return a Long, Double, Boolean or String, as the column's type needs
         */
        @Nullable
        Object of(List<@Nullable String> fields, RowContext context);
    }
}
