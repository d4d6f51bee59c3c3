package io.skep.ql.commit;

import io.skep.metastore.FolderMove;
import io.skep.metastore.Table;
import java.util.Optional;

/**
 * A statement's request to rename a table or partition.
 *
 * @param table the table before the rename
 * @param partition its present name ({@code k=v/k=v}); empty for the table itself
 * @param renamed the table after the rename: a table under its new name, or the table that contains the partition
 * @param renamedPartition its new name; empty for the table itself
 * @param folder the folder that moves along, if any
 * @param inCatalog changes the name in one transaction, and leaves the files
 */
public record RenameRequest(
        Table table,
        String partition,
        Table renamed,
        String renamedPartition,
        Optional<FolderMove> folder,
        Runnable inCatalog) {

    public static RenameRequest ofTable(Table table, Table renamed, Optional<FolderMove> folder, Runnable inCatalog) {
        return new RenameRequest(table, "", renamed, "", folder, inCatalog);
    }

    public static RenameRequest ofPartition(
            Table table, String partition, String renamed, Optional<FolderMove> folder, Runnable inCatalog) {
        return new RenameRequest(table, partition, table, renamed, folder, inCatalog);
    }
}
