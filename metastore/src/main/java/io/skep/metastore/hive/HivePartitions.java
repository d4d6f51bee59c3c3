package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.metastore.RawStore;
import org.jspecify.annotations.NullUnmarked;

/** Reads and writes partitions: their rows and their folders. Rows are read and written in batches. */
@NullUnmarked
final class HivePartitions {
    private static final short ALL = -1;
    private static final int FEW = 10;

    private final StorePool stores;
    private final WarehouseFiles files;
    private final NotificationLog log;
    private final TransactionRecords transactions;

    HivePartitions(StorePool stores, WarehouseFiles files, NotificationLog log, TransactionRecords transactions) {
        this.stores = stores;
        this.files = files;
        this.log = log;
        this.transactions = transactions;
    }

    List<String> names(Table table) {
        return stores
                .read(
                        "list the partitions of " + table.qualifiedName(),
                        store -> store.listPartitionNames(CATALOG, table.database(), table.name(), ALL))
                .stream()
                .sorted()
                .toList();
    }

    List<Partition> byName(Table table, List<String> names) {
        return stores.readInParts("read partitions of " + table.qualifiedName(), (store, wanted) -> {
            Map<String, org.apache.hadoop.hive.metastore.api.Partition> found = find(store, table, names, wanted);
            List<Partition> partitions = new ArrayList<>(found.size());
            for (String name : names) {
                var partition = found.get(PartitionName.of(table, PartitionName.values(name)));
                if (partition != null) {
                    partitions.add(TableConversion.fromThrift(partition));
                }
            }
            return partitions;
        });
    }

    private Map<String, org.apache.hadoop.hive.metastore.api.Partition> find(
            RawStore store, Table table, List<String> names) throws Exception {
        return find(store, table, names, () -> {});
    }

    /** @param beforePart runs before each batch of names is read */
    private Map<String, org.apache.hadoop.hive.metastore.api.Partition> find(
            RawStore store, Table table, List<String> names, Runnable beforePart) throws Exception {
        Map<String, org.apache.hadoop.hive.metastore.api.Partition> found = new HashMap<>();
        for (List<String> batch : stores.batches(names)) {
            beforePart.run();
            for (var partition : store.getPartitionsByNames(CATALOG, table.database(), table.name(), batch)) {
                found.put(PartitionName.of(table, partition.getValues()), partition);
            }
        }
        return found;
    }

    void add(Table table, List<Partition> partitions, boolean ifNotExists) {
        Map<String, Partition> wanted = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (Partition partition : partitions) {
            String name = PartitionName.of(table, partition.values());
            if (wanted.put(name, partition) != null) {
                throw new SkepException(
                        StandardErrorCode.INVALID_PARTITION, "partition '" + name + "' is given more than once");
            }
            names.add(name);
        }
        Set<String> there = existing(table, names);
        if (!ifNotExists && !there.isEmpty()) {
            throw exists(table, there.iterator().next());
        }
        names.removeAll(there);
        if (!names.isEmpty()) {
            insert(table, names.stream().map(wanted::get).toList());
        }
    }

    /**
     * Looks up few names one by one, and finds many names in the list of all names. The library logs an error when it
     * finds none of several names.
     */
    private Set<String> existing(Table table, List<String> names) {
        return stores.read("look up partitions of " + table.qualifiedName(), store -> {
            if (names.size() <= FEW) {
                var keys = HiveTables.require(store, table.database(), table.name())
                        .getPartitionKeys();
                Set<String> there = new HashSet<>();
                for (String name : names) {
                    List<String> values = PartitionName.values(name);
                    if (store.doesPartitionExist(CATALOG, table.database(), table.name(), keys, values)) {
                        there.add(name);
                    }
                }
                return there;
            }
            Set<String> all = new HashSet<>(store.listPartitionNames(CATALOG, table.database(), table.name(), ALL));
            all.retainAll(new HashSet<>(names));
            return all;
        });
    }

    private void insert(Table table, List<Partition> partitions) {
        Map<String, String> made = new HashMap<>();
        boolean done = false;
        try {
            List<org.apache.hadoop.hive.metastore.api.Partition> rows = new ArrayList<>(partitions.size());
            for (Partition partition : partitions) {
                rows.add(prepare(table, partition, made));
            }
            stores.write("add partitions to " + table.qualifiedName(), store -> {
                var owner = HiveTables.require(store, table.database(), table.name());
                for (var batch : stores.batches(rows)) {
                    store.addPartitions(CATALOG, table.database(), table.name(), batch);
                }
                log.addedPartitions(store, owner, rows.iterator());
                return true;
            });
            done = true;
        } finally {
            if (!done) {
                removeFolders(table, made);
            }
        }
    }

    /**
     * @param folders folders created for partitions that were not added, by name; folders of partitions that another
     *     writer has added in the meantime stay
     */
    private void removeFolders(Table table, Map<String, String> folders) {
        Set<String> there = existing(table, List.copyOf(folders.keySet()));
        folders.forEach((name, location) -> {
            if (!there.contains(name)) {
                files.deleteEmpty(location);
            }
        });
    }

    private org.apache.hadoop.hive.metastore.api.Partition prepare(
            Table table, Partition partition, Map<String, String> made) {
        var row = new org.apache.hadoop.hive.metastore.api.Partition();
        TableConversion.apply(partition, table, row);
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW) {
            stamp(row);
            return row;
        }
        String location = partition.storage().location().isEmpty()
                ? WarehouseLayout.partitionLocation(table, partition.values())
                : partition.storage().location();
        row.getSd().setLocation(location);
        if (files.makeFolder(location)) {
            made.put(PartitionName.of(table, partition.values()), location);
        } else if (!row.getParameters().keySet().containsAll(FileStats.PROPERTIES)) {
            FileStats.put(row.getParameters(), files.stats(location));
        }
        stamp(row);
        return row;
    }

    private static void stamp(org.apache.hadoop.hive.metastore.api.Partition row) {
        int now = Math.toIntExact(System.currentTimeMillis() / 1000);
        if (row.getCreateTime() == 0) {
            row.setCreateTime(now);
        }
        row.getParameters().putIfAbsent(HiveTables.DDL_TIME, Integer.toString(now));
    }

    private static SkepException exists(Table table, String name) {
        return new SkepException(
                StandardErrorCode.PARTITION_EXISTS,
                "AlreadyExistsException(message:Partition already exists: " + name + " of " + table.qualifiedName()
                        + ")");
    }

    private static SkepException notFound(Table table, String name) {
        return new SkepException(
                StandardErrorCode.PARTITION_NOT_FOUND,
                "partition '" + name + "' of " + table.qualifiedName() + " does not exist");
    }

    void alter(Table table, List<Partition> partitions) {
        List<String> names = partitions.stream()
                .map(partition -> PartitionName.of(table, partition.values()))
                .toList();
        stores.write("change partitions of " + table.qualifiedName(), store -> {
            var owner = HiveTables.require(store, table.database(), table.name());
            var before = find(store, table, names);
            List<org.apache.hadoop.hive.metastore.api.Partition> after = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                var old = before.get(names.get(i));
                if (old == null) {
                    throw notFound(table, names.get(i));
                }
                var changed = old.deepCopy();
                TableConversion.apply(partitions.get(i), table, changed);
                after.add(changed);
                log.alteredPartition(store, owner, old, changed);
            }
            for (var batch : stores.batches(after)) {
                List<List<String>> values = new ArrayList<>();
                batch.forEach(partition -> values.add(new ArrayList<>(partition.getValues())));
                store.alterPartitions(CATALOG, table.database(), table.name(), values, batch, -1, null);
            }
            return true;
        });
    }

    void drop(Table table, List<List<String>> values, DroppedFiles dropped) {
        List<String> names = values.stream()
                .map(one -> PartitionName.of(table, one))
                .distinct()
                .toList();
        PendingDeletes doomed = stores.write("drop partitions of " + table.qualifiedName(), store -> {
            var owner = HiveTables.require(store, table.database(), table.name());
            var found = find(store, table, names);
            List<String> data = new ArrayList<>();
            for (String name : names) {
                var partition = found.get(name);
                if (partition == null) {
                    throw notFound(table, name);
                }
                if (HiveTables.ownsData(owner)) {
                    data.add(partition.getSd().getLocation());
                }
            }
            dropRows(store, owner, stores.batches(names));
            transactions.droppedPartitions(store, owner, found.values().iterator());
            log.droppedPartitions(store, owner, found.values().iterator());
            return PendingDeletes.of(owner, dropped, data);
        });
        doomed.deleteBy(files);
    }

    static void dropRows(RawStore store, org.apache.hadoop.hive.metastore.api.Table table, List<List<String>> batches)
            throws Exception {
        for (List<String> batch : batches) {
            store.dropPartitions(CATALOG, table.getDbName(), table.getTableName(), batch);
        }
    }

    /** Returns the folder that moves when a partition's values change. */
    Optional<FolderMove> movedFolder(Table table, Partition partition, List<String> values) {
        String from = partition.storage().location();
        String to = renamedLocation(table, partition.values(), from, values);
        if (to.equals(from) || !files.exists(from)) {
            return Optional.empty();
        }
        if (files.exists(to)) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "the partition's new location exists already: " + to);
        }
        return Optional.of(new FolderMove(from, to));
    }

    /** A managed partition at its default location gets the default location of the new values. */
    private static String renamedLocation(Table table, List<String> values, String location, List<String> renamed) {
        boolean follows = table.kind() == Table.TableKind.MANAGED_TABLE
                && !values.equals(renamed)
                && WarehouseLayout.same(location, WarehouseLayout.partitionLocation(table, values));
        return follows ? WarehouseLayout.partitionLocation(table, renamed) : location;
    }

    /** Changes a partition's values, and its location if it depends on them. */
    void rename(Table table, List<String> values, Partition renamed) {
        String from = PartitionName.of(table, values);
        String to = PartitionName.of(table, renamed.values());
        var found = stores.read("read partitions", store -> find(store, table, List.of(from, to)));
        var before = found.get(from);
        if (before == null) {
            throw notFound(table, from);
        }
        if (found.containsKey(to) && !to.equals(from)) {
            throw exists(table, to);
        }
        String location = renamedLocation(table, values, before.getSd().getLocation(), renamed.values());
        stores.write("rename partition " + from, store -> {
            renameRow(store, table, before, renamed, location);
            return true;
        });
    }

    private void renameRow(
            RawStore store,
            Table table,
            org.apache.hadoop.hive.metastore.api.Partition before,
            Partition renamed,
            String location)
            throws Exception {
        var owner = HiveTables.require(store, table.database(), table.name());
        var after = before.deepCopy();
        TableConversion.apply(renamed, table, after);
        after.getSd().setLocation(location);
        List<String> values = new ArrayList<>(before.getValues());
        String name = PartitionName.of(table, values);
        StatisticsMove statistics = StatisticsMove.takePartitions(store, owner, List.of(name));
        String newName = PartitionName.of(table, renamed.values());
        store.alterPartition(CATALOG, table.database(), table.name(), values, after, null);
        transactions.renamedPartition(store, owner, name, newName);
        statistics.renamePartition(name, newName).put(store, owner);
        log.alteredPartition(store, owner, before, after);
    }
}
