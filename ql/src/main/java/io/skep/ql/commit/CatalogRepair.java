package io.skep.ql.commit;

import io.skep.metastore.Catalog;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitJournal.Change;
import io.skep.ql.commit.CommitJournal.Entry;
import io.skep.ql.commit.CommitJournal.Target;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hive.common.StatsSetupConst;

/**
 * Makes the catalog agree with the files of an interrupted commit. It adds missing partitions, drops partitions that
 * must not exist, and marks statistics as inaccurate where they may describe other files. It leaves a table alone if it
 * is not the table that the commit was for.
 */
final class CatalogRepair {
    private final Catalog catalog;
    private final TableFiles files;

    CatalogRepair(Catalog catalog, TableFiles files) {
        this.catalog = catalog;
        this.files = files;
    }

    /** Whether the partitions that the commit drops as its last step have been dropped. */
    boolean isDecided(CommitJournal journal) {
        List<Entry> dropped = journal.entries().stream()
                .filter(entry -> entry.change() == Change.DROPPED)
                .toList();
        return !dropped.isEmpty()
                && dropped.stream()
                        .allMatch(entry -> table(journal, entry)
                                .filter(table -> partition(table, entry).isEmpty())
                                .isPresent());
    }

    /** Whether the catalog has a table or partition under its new name only. */
    boolean isRenamed(CommitJournal journal) {
        return isThere(journal, journal.entries().getLast())
                && !isThere(journal, journal.entries().getFirst());
    }

    private boolean isThere(CommitJournal journal, Entry entry) {
        return table(journal, entry)
                .filter(table ->
                        entry.partition().isEmpty() || partition(table, entry).isPresent())
                .isPresent();
    }

    /** Whether the tables that the commit creates exist. */
    boolean isCreated(CommitJournal journal) {
        return journal.targets().stream()
                .filter(Target::isCreated)
                .allMatch(target -> find(journal, target).isPresent());
    }

    /**
     * Whether each table that the commit creates exists as an ordinary table, without the commit's property. The
     * commit's last change or a later change removes the property.
     */
    boolean isCreationFinished(CommitJournal journal) {
        List<Target> created =
                journal.targets().stream().filter(Target::isCreated).toList();
        return !created.isEmpty()
                && created.stream()
                        .allMatch(target -> catalog.table(target.database(), target.table())
                                .filter(table -> table.storage().location().equals(target.location())
                                        && !table.properties().containsKey(CommitRequest.CREATED_BY))
                                .isPresent());
    }

    /** Completes the catalog's part of the commit. Called after all files are in their new places. */
    void forward(CommitJournal journal) {
        for (Entry entry : journal.entries()) {
            table(journal, entry).ifPresent(table -> {
                switch (entry.change()) {
                    case CHANGED -> invalidateStatistics(table, entry, List::getLast);
                    case ADDED -> add(table, entry);
                    case DROPPED, DISCARDED, DELETED, RENAMED -> {}
                }
            });
        }
        journal.targets().stream()
                .filter(Target::isCreated)
                .forEach(target -> find(journal, target).ifPresent(table -> finish(catalog, table)));
    }

    /** Removes the commit's property from a table, which makes it an ordinary table. */
    static void finish(Catalog catalog, Table table) {
        Map<String, String> properties = new TreeMap<>(table.properties());
        if (properties.remove(CommitRequest.CREATED_BY) != null) {
            catalog.alterTable(table.database(), table.name(), table.withProperties(properties), false);
        }
    }

    /** Rolls back the catalog's part of the commit. Called after all files are in their former places. */
    void back(CommitJournal journal) {
        for (Entry entry : journal.entries()) {
            table(journal, entry).ifPresent(table -> {
                switch (entry.change()) {
                    case CHANGED -> invalidateStatistics(table, entry, List::getFirst);
                    case ADDED -> drop(table, entry);
                    case DROPPED, DISCARDED, DELETED, RENAMED -> {}
                }
            });
        }
        journal.targets().stream()
                .filter(Target::isCreated)
                .forEach(target -> find(journal, target)
                        .ifPresent(table -> catalog.dropTable(table.database(), table.name(), DroppedFiles.KEPT)));
    }

    private Optional<Table> table(CommitJournal journal, Entry entry) {
        return journal.targets().stream()
                .filter(target -> target.database().equals(entry.database())
                        && target.table().equals(entry.table()))
                .findFirst()
                .flatMap(target -> find(journal, target));
    }

    private Optional<Table> find(CommitJournal journal, Target target) {
        return catalog.table(target.database(), target.table())
                .filter(table -> target.isCreated()
                        ? journal.name().equals(table.properties().get(CommitRequest.CREATED_BY))
                        : table.id() == target.id());
    }

    private Optional<Partition> partition(Table table, Entry entry) {
        return catalog.partition(table, PartitionName.values(entry.partition()));
    }

    /** @param chosen picks one of the formats before and after, for a partition whose format the commit changes */
    private void invalidateStatistics(Table table, Entry entry, Function<List<TableFormat>, TableFormat> chosen) {
        if (entry.partition().isEmpty()) {
            // Looked up again, since one commit may have several entries for a table.
            catalog.table(table.database(), table.name())
                    .map(now -> now.withProperties(uncounted(now.properties())))
                    .ifPresent(now -> catalog.alterTable(now.database(), now.name(), located(now), false));
            return;
        }
        partition(table, entry).ifPresent(known -> {
            Partition after = located(known.withProperties(uncounted(known.properties())));
            catalog.alterPartitions(
                    table,
                    List.of(
                            entry.formats().isEmpty()
                                    ? after
                                    : after.withStorage(after.storage().withFormat(chosen.apply(entry.formats())))));
        });
    }

    private void add(Table table, Entry entry) {
        if (partition(table, entry).isPresent()) {
            invalidateStatistics(table, entry, List::getFirst);
            return;
        }
        List<String> values = PartitionName.values(entry.partition());
        Partition added = new Partition(values, 0, 0, table.storage().withLocation(entry.location()), new TreeMap<>());
        catalog.addPartitions(table, List.of(located(added)), true);
    }

    private Table located(Table table) {
        return table.partitionKeys().isEmpty()
                ? table.withStorage(ListBucketFolders.located(table.storage(), files))
                : table;
    }

    private Partition located(Partition partition) {
        return partition.withStorage(ListBucketFolders.located(partition.storage(), files));
    }

    /** Drops the partition only when it has no files, since other statements may have written to it. */
    private void drop(Table table, Entry entry) {
        Optional<Partition> known = partition(table, entry);
        if (known.isEmpty()) {
            return;
        }
        if (files.exists(entry.location()) && !files.files(entry.location()).isEmpty()) {
            invalidateStatistics(table, entry, List::getFirst);
        } else {
            catalog.dropPartitions(table, List.of(known.get().values()), DroppedFiles.KEPT);
        }
    }

    private static Map<String, String> uncounted(Map<String, String> properties) {
        Map<String, String> after = new TreeMap<>(properties);
        after.remove(StatsSetupConst.COLUMN_STATS_ACCURATE);
        return after;
    }
}
