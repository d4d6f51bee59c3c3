package io.skep.ql.analyze;

/**
 * A column that names can refer to.
 *
 * @param database the table's database, or empty
 * @param table the alias of the table or subquery, or empty
 * @param visible whether the column is part of {@code *} and can be named without qualification; false for virtual
 *     columns and the second copy of a USING column
 * @param virtual whether the column can be named without qualification although it is not visible
 * @param ambiguous which of the column's names are refused, because they fit another column too
 */
record ScopeColumn(String database, String table, String name, boolean visible, boolean virtual, Ambiguous ambiguous) {
    /** The names of a column that are refused as ambiguous. */
    enum Ambiguous {
        NONE,
        /** The name without a table: a USING column of a full join, of which either side may be null. */
        PLAIN,
        /** The name with and without a table: the first of several columns of a subquery that have one name. */
        ALL
    }

    ScopeColumn(String database, String table, String name, boolean visible, boolean virtual) {
        this(database, table, name, visible, virtual, Ambiguous.NONE);
    }

    static ScopeColumn of(String table, String name) {
        return new ScopeColumn("", table, name, true, false);
    }

    ScopeColumn hidden() {
        return new ScopeColumn(database, table, name, false, false, ambiguous);
    }

    ScopeColumn ambiguous(Ambiguous names) {
        return new ScopeColumn(database, table, name, visible, virtual, names);
    }

    String qualifiedName() {
        return table.isEmpty() ? name : table + "." + name;
    }
}
