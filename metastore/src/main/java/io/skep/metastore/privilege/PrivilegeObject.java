package io.skep.metastore.privilege;

import java.util.Optional;

/**
 * What a privilege is granted on: a database, a table or view of it, or a column of a table or view. Names are in lower
 * case.
 */
public record PrivilegeObject(String database, Optional<String> table, Optional<String> column) {
    public PrivilegeObject {
        if (column.isPresent() && table.isEmpty()) {
            throw new IllegalArgumentException("a column has a table");
        }
    }

    public static PrivilegeObject database(String database) {
        return new PrivilegeObject(database, Optional.empty(), Optional.empty());
    }

    public static PrivilegeObject table(String database, String table) {
        return new PrivilegeObject(database, Optional.of(table), Optional.empty());
    }

    public static PrivilegeObject column(String database, String table, String column) {
        return new PrivilegeObject(database, Optional.of(table), Optional.of(column));
    }
}
