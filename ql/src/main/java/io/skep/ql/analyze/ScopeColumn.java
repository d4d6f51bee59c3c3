package io.skep.ql.analyze;

/**
 * A column that names can refer to.
 *
 * @param database the table's database, or empty
 * @param table the alias of the table or subquery, or empty
 * @param visible whether the column is part of {@code *} and can be named without qualification; false for virtual
 *     columns and the second copy of a USING column
 * @param virtual whether the column can be named without qualification although it is not visible
 */
record ScopeColumn(String database, String table, String name, boolean visible, boolean virtual) {
    static ScopeColumn of(String table, String name) {
        return new ScopeColumn("", table, name, true, false);
    }

    ScopeColumn hidden() {
        return new ScopeColumn(database, table, name, false, false);
    }

    String qualifiedName() {
        return table.isEmpty() ? name : table + "." + name;
    }
}
