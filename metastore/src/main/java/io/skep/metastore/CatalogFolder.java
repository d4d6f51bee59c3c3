package io.skep.metastore;

/**
 * A folder that the catalog uses.
 *
 * @param table name of the table whose data or partition is in the folder; empty for a database's own folder
 * @param location absolute, as stored in the catalog: usually with its scheme
 */
public record CatalogFolder(String database, String table, String location) {
    public boolean isDatabase() {
        return table.isEmpty();
    }

    /** Returns the name of the table, or of the database, for messages. */
    public String owner() {
        return isDatabase() ? "database " + database : "table " + database + "." + table;
    }
}
