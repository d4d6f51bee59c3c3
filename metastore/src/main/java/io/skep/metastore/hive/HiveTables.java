package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Constraint;
import io.skep.metastore.Database;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.utils.MetaStoreUtils;
import org.jspecify.annotations.NullUnmarked;

/** Creates, reads and drops tables: their rows and their folders. */
@NullUnmarked
final class HiveTables {
    static final String DDL_TIME = "transient_lastDdlTime";

    private static final String PURGE = "external.table.purge";
    private static final int ALL = -1;

    private final StorePool stores;
    private final WarehouseLayout layout;
    private final WarehouseFiles files;
    private final NotificationLog log;
    private final TransactionRecords transactions;

    HiveTables(
            StorePool stores,
            WarehouseLayout layout,
            WarehouseFiles files,
            NotificationLog log,
            TransactionRecords transactions) {
        this.stores = stores;
        this.layout = layout;
        this.files = files;
        this.log = log;
        this.transactions = transactions;
    }

    List<String> names(String database) {
        return stores.read("list the tables of " + database, store -> store.getAllTables(CATALOG, database)).stream()
                .sorted()
                .toList();
    }

    Optional<Table> get(String database, String name) {
        return stores.read(
                "read table " + database + "." + name,
                store -> Optional.ofNullable(store.getTable(CATALOG, database, name))
                        .map(TableConversion::fromThrift));
    }

    List<Table> byName(String database, List<String> names) {
        return stores.read("read tables of " + database, store -> {
            Map<String, Table> found = new HashMap<>();
            for (List<String> batch : stores.batches(names)) {
                for (var table : store.getTableObjectsByName(CATALOG, database, batch)) {
                    found.put(table.getTableName(), TableConversion.fromThrift(table));
                }
            }
            return names.stream().map(found::get).filter(Objects::nonNull).toList();
        });
    }

    static org.apache.hadoop.hive.metastore.api.Table require(RawStore store, String database, String name)
            throws MetaException {
        var table = store.getTable(CATALOG, database, name);
        if (table == null) {
            throw notFound(database, name);
        }
        return table;
    }

    static SkepException notFound(String database, String name) {
        return new SkepException(StandardErrorCode.TABLE_NOT_FOUND, "Table not found " + database + "." + name);
    }

    static SkepException exists(String database, String name) {
        return new SkepException(
                StandardErrorCode.TABLE_EXISTS,
                "AlreadyExistsException(message:Table hive." + database + "." + name + " already exists)");
    }

    void create(Database database, Table table, List<Constraint> constraints) {
        checkName(table);
        checkColumns(table);
        HiveConstraints.check(List.of(), constraints, table.qualifiedName());
        if (get(table.database(), table.name()).isPresent()) {
            throw exists(table.database(), table.name());
        }
        var target = new org.apache.hadoop.hive.metastore.api.Table();
        TableConversion.apply(table, target);
        String location = location(database, table);
        target.getSd().setLocation(StorageConversion.orNull(location));
        HandlerHooks hooks = HandlerHooks.of(target);
        boolean made = !location.isEmpty() && files.makeFolder(location);
        boolean prepared = false;
        boolean created = false;
        try {
            hooks.run(hook -> hook.preCreateTable(target));
            prepared = true;
            describeNewFolder(target, made);
            stamp(target);
            insert(target, constraints);
            created = true;
        } finally {
            if (prepared && !created) {
                hooks.rollBack(hook -> hook.rollbackCreateTable(target));
            }
            // A concurrent creator may have succeeded with the folder that this call created.
            if (made && !created && get(table.database(), table.name()).isEmpty()) {
                files.deleteEmpty(location);
            }
        }
        hooks.run(hook -> hook.commitCreateTable(target));
    }

    private void checkName(Table table) {
        if (!MetaStoreUtils.validateName(table.name(), stores.configuration())) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT, "'" + table.name() + "' is not a name for a table");
        }
    }

    static void checkColumns(Table table) {
        Set<String> names = new HashSet<>();
        List<FieldSchema> columns = new ArrayList<>(table.columns());
        columns.addAll(table.partitionKeys());
        for (FieldSchema column : columns) {
            if (!names.add(column.name())) {
                throw new SkepException(StandardErrorCode.COLUMN_EXISTS, "Duplicate column name: " + column.name());
            }
        }
    }

    private String location(Database database, Table table) {
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW
                || !table.storage().location().isEmpty()) {
            return table.storage().location();
        }
        return layout.tableLocation(database, table.name(), table.kind() == Table.TableKind.EXTERNAL_TABLE);
    }

    /**
     * Sets the number and size of files for an unpartitioned table over existing files, unless they are already set.
     */
    private void describeNewFolder(org.apache.hadoop.hive.metastore.api.Table target, boolean made) {
        boolean stored = target.getSd().getLocation() != null;
        if (!stored || made || target.getPartitionKeysSize() > 0) {
            return;
        }
        if (!target.getParameters().keySet().containsAll(FileStats.PROPERTIES)) {
            FileStats.put(target.getParameters(), files.stats(target.getSd().getLocation()));
        }
    }

    private static void stamp(org.apache.hadoop.hive.metastore.api.Table target) {
        int now = Math.toIntExact(System.currentTimeMillis() / 1000);
        if (target.getCreateTime() == 0) {
            target.setCreateTime(now);
        }
        target.getParameters().putIfAbsent(DDL_TIME, Integer.toString(now));
    }

    private void insert(org.apache.hadoop.hive.metastore.api.Table target, List<Constraint> constraints) {
        stores.write("create table " + target.getDbName() + "." + target.getTableName(), store -> {
            if (store.getTable(CATALOG, target.getDbName(), target.getTableName()) != null) {
                throw exists(target.getDbName(), target.getTableName());
            }
            var attempt = MaterializationConversion.withoutTime(target);
            attempt.setPrivileges(PrivilegeConversion.ofOwner(target.getOwner()));
            store.createTable(attempt);
            attempt.unsetPrivileges();
            HiveConstraints.insert(store, target.getDbName(), target.getTableName(), constraints);
            log.createdTable(store, attempt);
            return true;
        });
    }

    List<String> ownFolders(Table table) {
        return stores.read("list the folders of table " + table.qualifiedName(), store -> {
            var found = require(store, table.database(), table.name());
            return ownsData(found) ? dataFolders(store, found) : List.of();
        });
    }

    List<String> materializedViewsOf(Table source) {
        List<String> views = stores.read(
                "list the materialized views of " + source.qualifiedName(),
                store -> store.isPartOfMaterializedView(CATALOG, source.database(), source.name()));
        return views == null ? List.of() : List.copyOf(views);
    }

    Map<String, Set<String>> rewritingViews() {
        return stores.read("list the materialized views that may answer queries", store -> {
            Map<String, Set<String>> sources = new TreeMap<>();
            for (var view : store.getAllMaterializedViewObjectsForRewriting(CATALOG)) {
                MaterializationConversion.fromThrift(view)
                        .ifPresent(content -> sources.put(
                                view.getDbName() + "." + view.getTableName(), Set.copyOf(content.sources())));
            }
            return sources;
        });
    }

    void drop(String database, String name, DroppedFiles dropped) {
        Optional<PendingDeletes> doomed = stores.write("drop table " + database + "." + name, store -> {
            var table = require(store, database, name);
            return HandlerHooks.mayHave(table) ? Optional.empty() : Optional.of(dropRows(store, table, dropped));
        });
        if (doomed.isPresent()) {
            doomed.get().deleteBy(files);
        } else {
            dropForeign(database, name, dropped);
        }
    }

    /** Drops a table of a storage handler. Its hooks may take long, so they run outside of transactions. */
    private void dropForeign(String database, String name, DroppedFiles dropped) {
        var dropping = stores.read("read table " + database + "." + name, store -> require(store, database, name));
        HandlerHooks hooks = HandlerHooks.ofDropped(dropping, ownsData(dropping));
        hooks.run(hook -> hook.preDropTable(dropping));
        PendingDeletes doomed;
        try {
            doomed = stores.write(
                    "drop table " + database + "." + name,
                    store -> dropRows(store, require(store, database, name), dropped));
        } catch (SkepException e) {
            hooks.rollBack(hook -> hook.rollbackDropTable(dropping));
            throw e;
        }
        doomed.deleteBy(files);
        hooks.run(hook -> hook.commitDropTable(dropping, ownsData(dropping)));
    }

    /** Deletes what the metastore has about a table. Returns the folders to delete. */
    private PendingDeletes dropRows(
            RawStore store, org.apache.hadoop.hive.metastore.api.Table table, DroppedFiles dropped) throws Exception {
        PendingDeletes data =
                PendingDeletes.of(table, dropped, ownsData(table) ? dataFolders(store, table) : List.of());
        String database = table.getDbName();
        String name = table.getTableName();
        if (table.getPartitionKeysSize() > 0) {
            List<String> partitions = store.listPartitionNames(CATALOG, database, name, (short) ALL);
            HivePartitions.dropRows(store, table, stores.batches(partitions));
        }
        store.dropTable(CATALOG, database, name);
        transactions.droppedTable(store, table);
        log.droppedTable(store, table);
        return data;
    }

    static boolean ownsData(org.apache.hadoop.hive.metastore.api.Table table) {
        return switch (Table.TableKind.valueOf(table.getTableType())) {
            case MANAGED_TABLE, MATERIALIZED_VIEW -> true;
            case EXTERNAL_TABLE -> "true".equalsIgnoreCase(table.getParameters().get(PURGE));
            case VIRTUAL_VIEW -> false;
        };
    }

    /** Returns the table's folder, and the folders of partitions outside it. */
    private static List<String> dataFolders(RawStore store, org.apache.hadoop.hive.metastore.api.Table table)
            throws MetaException {
        List<String> folders = new ArrayList<>();
        String root = table.getSd().getLocation();
        folders.add(root);
        if (table.getPartitionKeysSize() > 0) {
            var locations = store.getPartitionLocations(CATALOG, table.getDbName(), table.getTableName(), root, ALL);
            for (String location : new HashMap<>(locations).values()) {
                if (location != null && !WarehouseLayout.isBelow(location, root)) {
                    folders.add(location);
                }
            }
        }
        return folders;
    }
}
