package io.skep.ql.commit;

import io.skep.metastore.FolderMove;
import io.skep.metastore.Table;
import java.util.Optional;

/**
 * A table or partition that a statement gives another name.
 *
 * @param table as it is
 * @param partition its present name ({@code k=v/k=v}); empty for the table itself
 * @param renamed where the same is found afterwards: a table by its new name, a partition in its table
 * @param renamedPartition its new name; empty for the table itself
 * @param folder that goes along, if any
 * @param inCatalog gives the name, in one transaction, and leaves the files
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
