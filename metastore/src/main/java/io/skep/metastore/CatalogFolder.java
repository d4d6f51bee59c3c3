package io.skep.metastore;

/**
 * A folder in which the catalog keeps something.
 *
 * @param table name of the table that has the folder, for itself or for a partition; empty for a database's own folder
 * @param location absolute, as the catalog has it: usually with its scheme
 */
public record CatalogFolder(String database, String table, String location) {
    public boolean isDatabase() {
        return table.isEmpty();
    }

    /** The name of the table, or of the database, for messages. */
    public String owner() {
        return isDatabase() ? "database " + database : "table " + database + "." + table;
    }
}
