package io.skep.ql.analyze;

/**
 * A column that names can refer to.
 *
 * @param database of the table, or empty
 * @param table alias of the table or subquery, or empty
 * @param visible in {@code *} and without qualification; virtual columns and the second copy of a USING column are not
 * @param virtual found without qualification though not visible
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
