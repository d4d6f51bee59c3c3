package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Database;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.NullUnmarked;

/**
 * A change of a table's definition: new columns, properties, place or name. A renamed managed table takes its folder along
 * when that is at its default place; partitions follow; statistics of columns that are gone or have another type are
 * dropped, all others survive.
 */
@NullUnmarked
final class TableChange {
    private final StorePool stores;
    private final WarehouseLayout layout;
    private final WarehouseFiles files;
    private final NotificationLog log;
    private final Function<String, Database> databases;

    TableChange(
            StorePool stores,
            WarehouseLayout layout,
            WarehouseFiles files,
            NotificationLog log,
            Function<String, Database> databases) {
        this.stores = stores;
        this.layout = layout;
        this.files = files;
        this.log = log;
        this.databases = databases;
    }

    /** From where to where a folder moves. */
    private record Move(String from, String to) {
        String apply(String location) {
            return WarehouseLayout.isBelow(location, from) && location.startsWith(from)
                    ? to + location.substring(from.length())
                    : location;
        }
    }

    void run(String database, String name, io.skep.metastore.Table wanted, boolean cascade) {
        HiveTables.checkColumns(wanted);
        Table before = stores.read("read table", store -> HiveTables.require(store, database, name));
        Table after = before.deepCopy();
        TableConversion.apply(wanted, after);
        boolean renamed = !wanted.database().equals(database) || !wanted.name().equals(name);
        Optional<Move> move = renamed ? move(before, after) : Optional.empty();
        move.ifPresent(m -> after.getSd().setLocation(m.to()));
        boolean moved = move.isPresent() && files.exists(move.get().from());
        if (moved) {
            files.move(move.get().from(), move.get().to());
        }
        boolean done = false;
        try {
            stores.write("change table " + database + "." + name, store -> {
                write(store, before, after, renamed, move, cascade);
                return true;
            });
            done = true;
        } finally {
            if (moved && !done) {
                files.move(move.get().to(), move.get().from());
            }
        }
    }

    private Optional<Move> move(Table before, Table after) {
        Database source = databases.apply(before.getDbName());
        Database target = databases.apply(after.getDbName());
        String from = before.getSd().getLocation();
        boolean managed = io.skep.metastore.Table.TableKind.MANAGED_TABLE.name().equals(before.getTableType());
        boolean toldWhere = from == null || !from.equals(after.getSd().getLocation());
        if (!managed
                || toldWhere
                || !WarehouseLayout.same(from, layout.tableLocation(source, before.getTableName(), false))) {
            return Optional.empty();
        }
        String to = layout.tableLocation(target, after.getTableName(), false);
        if (files.exists(to)) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "the table's new location exists already: " + to);
        }
        return Optional.of(new Move(from, to));
    }

    private void write(RawStore store, Table before, Table after, boolean renamed, Optional<Move> move, boolean cascade)
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
        store.alterTable(CATALOG, before.getDbName(), before.getTableName(), after.deepCopy(), null);
        if (partitioned && (move.isPresent() || cascade)) {
            changePartitions(store, after, move, cascade);
        }
        statistics.put(store, after);
        log.alteredTable(store, before, after);
    }

    private static Set<String> types(List<FieldSchema> columns) {
        Set<String> types = new HashSet<>();
        for (FieldSchema column : columns) {
            types.add(column.getName() + " " + column.getType());
        }
        return types;
    }

    private void changePartitions(RawStore store, Table table, Optional<Move> move, boolean cascade) throws Exception {
        String database = table.getDbName();
        String name = table.getTableName();
        List<String> names = store.listPartitionNames(CATALOG, database, name, (short) -1);
        for (List<String> batch : stores.batches(names)) {
            List<Partition> partitions = store.getPartitionsByNames(CATALOG, database, name, batch);
            List<List<String>> values = new ArrayList<>();
            for (Partition partition : partitions) {
                values.add(new ArrayList<>(partition.getValues()));
                move.ifPresent(m ->
                        partition.getSd().setLocation(m.apply(partition.getSd().getLocation())));
                if (cascade) {
                    partition.getSd().setCols(new ArrayList<>(table.getSd().getCols()));
                }
            }
            store.alterPartitions(CATALOG, database, name, values, partitions, -1, null);
        }
    }
}
