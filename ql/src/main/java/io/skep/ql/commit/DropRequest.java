package io.skep.ql.commit;

import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitJournal.Change;
import io.skep.ql.commit.CommitJournal.Entry;
import java.util.List;

/**
 * A statement's request to drop a table or partitions.
 *
 * @param entries folders that are removed with them
 * @param inCatalog removes them from the catalog, all at once, and leaves the files
 */
public record DropRequest(Table table, List<Entry> entries, Runnable inCatalog) {
    public DropRequest {
        entries = List.copyOf(entries);
    }

    /** @param folders all folders that are removed with the table */
    public static DropRequest of(Table table, List<String> folders, DroppedFiles files, Runnable inCatalog) {
        return new DropRequest(
                table,
                folders.stream().map(folder -> entry(table, "", folder, files)).toList(),
                inCatalog);
    }

    /** Creates a request to drop partitions of a table. If the table does not own its files, they stay. */
    public static DropRequest ofPartitions(
            Table table, List<Partition> partitions, DroppedFiles files, Runnable inCatalog) {
        List<Partition> owned = table.ownsFiles() ? partitions : List.of();
        return new DropRequest(
                table,
                owned.stream()
                        .map(partition -> entry(
                                table,
                                PartitionName.of(table, partition.values()),
                                partition.storage().location(),
                                files))
                        .toList(),
                inCatalog);
    }

    /** Returns the folders that are removed. */
    public List<String> folders() {
        return entries.stream().map(Entry::location).toList();
    }

    private static Entry entry(Table table, String partition, String folder, DroppedFiles files) {
        boolean isTrashed = files == DroppedFiles.TRASHED && !DroppedFiles.isPurged(table.properties());
        return new Entry(
                table.database(), table.name(), partition, folder, isTrashed ? Change.DISCARDED : Change.DELETED);
    }
}
