package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Database;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Table.TableKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.HiveObjectPrivilege;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.PrivilegeBag;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.NullUnmarked;

/**
 * A change of a table's definition: new columns, properties, location or name. A renamed managed table at its default
 * location gets the default location of its new name, and so do partitions below it. Statistics of dropped columns and
 * of columns with another type are dropped. All other statistics are kept. The caller moves the folder.
 */
@NullUnmarked
final class TableChange {
    private final StorePool stores;
    private final WarehouseLayout layout;
    private final WarehouseFiles files;
    private final NotificationLog log;
    private final TransactionRecords transactions;
    private final HiveStatistics columnStatistics;
    private final Function<String, Database> databases;

    TableChange(
            StorePool stores,
            WarehouseLayout layout,
            WarehouseFiles files,
            NotificationLog log,
            TransactionRecords transactions,
            HiveStatistics columnStatistics,
            Function<String, Database> databases) {
        this.stores = stores;
        this.layout = layout;
        this.files = files;
        this.log = log;
        this.transactions = transactions;
        this.columnStatistics = columnStatistics;
        this.databases = databases;
    }

    /** Returns the folder that moves when a table is renamed. */
    Optional<FolderMove> movedFolder(io.skep.metastore.Table before, io.skep.metastore.Table after) {
        if (before.kind() != TableKind.MANAGED_TABLE) {
            return Optional.empty();
        }
        Optional<FolderMove> move =
                move(before.database(), before.name(), before.storage().location(), after);
        move.map(FolderMove::to).filter(files::exists).ifPresent(to -> {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "the table's new location exists already: " + to);
        });
        return move.filter(found -> files.exists(found.from()));
    }

    void run(String database, String name, io.skep.metastore.Table wanted, boolean cascade) {
        HiveTables.checkColumns(wanted);
        boolean renamed = !wanted.database().equals(database) || !wanted.name().equals(name);
        Optional<FolderMove> move = renamed ? move(database, name, wanted) : Optional.empty();
        stores.write("change table " + database + "." + name, store -> {
            Table before = HiveTables.require(store, database, name);
            Table after = before.deepCopy();
            TableConversion.apply(wanted, after);
            move.ifPresent(found -> SkewedFolders.move(after.getSd(), path -> moved(path, found)));
            move.ifPresent(found -> after.getSd().setLocation(found.to()));
            write(store, before, after, renamed, move, cascade);
            return true;
        });
    }

    /** Changes a table in place, together with statistics of its columns, and returns it as it is now. */
    io.skep.metastore.Table record(io.skep.metastore.Table wanted, List<ColumnStatistics> columns) {
        HiveTables.checkColumns(wanted);
        return stores.write("record a write to " + wanted.qualifiedName(), store -> {
            Table before = HiveTables.require(store, wanted.database(), wanted.name());
            Table after = before.deepCopy();
            TableConversion.apply(wanted, after);
            write(store, before, after, false, Optional.empty(), false);
            columnStatistics.put(store, after, wanted, columns);
            return TableConversion.fromThrift(HiveTables.require(store, wanted.database(), wanted.name()));
        });
    }

    private Optional<FolderMove> move(String database, String name, io.skep.metastore.Table wanted) {
        Table before = stores.read("read table", store -> HiveTables.require(store, database, name));
        return TableKind.MANAGED_TABLE.name().equals(before.getTableType())
                ? move(before.getDbName(), before.getTableName(), before.getSd().getLocation(), wanted)
                : Optional.empty();
    }

    /**
     * Returns the move from the default folder of the old name to that of the new name. Returns empty when the table
     * has or gets another folder.
     */
    private Optional<FolderMove> move(String database, String name, String from, io.skep.metastore.Table after) {
        if (after.database().equals(database) && after.name().equals(name)
                || from == null
                || !from.equals(after.storage().location())
                || !WarehouseLayout.same(from, layout.tableLocation(databases.apply(database), name, false))) {
            return Optional.empty();
        }
        return Optional.of(
                new FolderMove(from, layout.tableLocation(databases.apply(after.database()), after.name(), false)));
    }

    private static String moved(String location, FolderMove move) {
        return WarehouseLayout.isBelow(location, move.from()) && location.startsWith(move.from())
                ? move.to() + location.substring(move.from().length())
                : location;
    }

    private void write(
            RawStore store, Table before, Table after, boolean renamed, Optional<FolderMove> move, boolean cascade)
            throws Exception {
        if (renamed && store.getTable(CATALOG, after.getDbName(), after.getTableName()) != null) {
            throw HiveTables.exists(after.getDbName(), after.getTableName());
        }
        boolean columnsChanged =
                !types(before.getSd().getCols()).equals(types(after.getSd().getCols()));
        boolean partitioned = before.getPartitionKeysSize() > 0;
        StatisticsMove statistics = StatisticsMove.none();
        if (columnsChanged || renamed) {
            statistics = StatisticsMove.take(store, before, partitioned && (renamed || cascade), stores::batches);
        }
        revokeFromRemovedColumns(store, before, after);
        Table stored = MaterializationConversion.withoutTime(after);
        store.alterTable(CATALOG, before.getDbName(), before.getTableName(), stored, null);
        if (!MaterializationConversion.fromThrift(before).equals(MaterializationConversion.fromThrift(after))) {
            store.updateCreationMetadata(
                    CATALOG, after.getDbName(), after.getTableName(), stored.getCreationMetadata());
        }
        if (partitioned && (move.isPresent() || cascade)) {
            changePartitions(store, after, move, cascade);
        }
        if (renamed) {
            transactions.renamedTable(store, before, after);
        }
        transactions.convertedTable(store, before, after);
        statistics.put(store, after);
        log.alteredTable(store, before, after);
    }

    /**
     * Revokes the grants on columns that are removed or renamed. The library keeps them, and a later column of the same
     * name would get them.
     */
    private static void revokeFromRemovedColumns(RawStore store, Table before, Table after) throws Exception {
        Set<String> kept = columns(after);
        for (String column : columns(before)) {
            if (!kept.contains(column)) {
                List<HiveObjectPrivilege> grants =
                        store.listTableColumnGrantsAll(CATALOG, before.getDbName(), before.getTableName(), column);
                if (!grants.isEmpty()) {
                    store.revokePrivileges(new PrivilegeBag(grants), false);
                }
            }
        }
    }

    private static Set<String> columns(Table table) {
        Set<String> names = new LinkedHashSet<>();
        table.getSd().getCols().forEach(column -> names.add(column.getName()));
        if (table.getPartitionKeysSize() > 0) {
            table.getPartitionKeys().forEach(column -> names.add(column.getName()));
        }
        return names;
    }

    private static List<String> types(List<FieldSchema> columns) {
        List<String> types = new ArrayList<>();
        for (FieldSchema column : columns) {
            types.add(column.getName() + " " + column.getType());
        }
        return types;
    }

    private void changePartitions(RawStore store, Table table, Optional<FolderMove> move, boolean cascade)
            throws Exception {
        String database = table.getDbName();
        String name = table.getTableName();
        List<String> names = store.listPartitionNames(CATALOG, database, name, (short) -1);
        for (List<String> batch : stores.batches(names)) {
            List<Partition> partitions = store.getPartitionsByNames(CATALOG, database, name, batch);
            List<List<String>> values = new ArrayList<>();
            for (Partition partition : partitions) {
                values.add(new ArrayList<>(partition.getValues()));
                move.ifPresent(found -> SkewedFolders.move(partition.getSd(), path -> moved(path, found)));
                move.ifPresent(found ->
                        partition.getSd().setLocation(moved(partition.getSd().getLocation(), found)));
                if (cascade) {
                    SkewedFolders.keep(partition.getSd(), table.getSd().getCols());
                    partition.getSd().setCols(new ArrayList<>(table.getSd().getCols()));
                }
            }
            store.alterPartitions(CATALOG, database, name, values, partitions, -1, null);
        }
    }
}
