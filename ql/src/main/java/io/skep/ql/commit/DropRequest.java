package io.skep.ql.commit;

import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitJournal.Change;
import io.skep.ql.commit.CommitJournal.Entry;
import java.util.List;

/**
 * A table or partitions that a statement drops.
 *
 * @param entries folders that go with them
 * @param inCatalog lets the catalog forget them, all at once, and leaves the files
 */
public record DropRequest(Table table, List<Entry> entries, Runnable inCatalog) {
    public DropRequest {
        entries = List.copyOf(entries);
    }

    /** @param folders all that go with the table */
    public static DropRequest of(Table table, List<String> folders, DroppedFiles files, Runnable inCatalog) {
        return new DropRequest(
                table,
                folders.stream().map(folder -> entry(table, "", folder, files)).toList(),
                inCatalog);
    }

    /** Partitions of a table; files of tables that do not own theirs stay. */
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

    private static Entry entry(Table table, String partition, String folder, DroppedFiles files) {
        boolean isTrashed = files == DroppedFiles.TRASHED && !DroppedFiles.isPurged(table.properties());
        return new Entry(
                table.database(), table.name(), partition, folder, isTrashed ? Change.DISCARDED : Change.DELETED);
    }
}
