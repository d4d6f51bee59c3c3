package io.skep.metastore.system;

/** Which rows a user sees. Its methods answer from memory, since they run while rows are read. */
public interface RowVisibility {
    boolean showsDatabase(String database);

    /** @param owner a user, or a role if ownerIsRole is set; empty if the table has none */
    boolean showsTable(String database, String table, String owner, boolean ownerIsRole);

    /** Whether a name is that of the user or of one of the roles that count. */
    boolean isUser(String name);
}
