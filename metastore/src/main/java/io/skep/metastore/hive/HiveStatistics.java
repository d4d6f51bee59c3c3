package io.skep.metastore.hive;

import static io.skep.metastore.hive.StatisticsMove.ENGINE;
import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.common.type.SqlType;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsDesc;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsObj;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/** Reads and writes column statistics of tables and partitions. */
@NullUnmarked
final class HiveStatistics {
    private final StorePool stores;
    private final NotificationLog log;

    HiveStatistics(StorePool stores, NotificationLog log) {
        this.stores = stores;
        this.log = log;
    }

    List<ColumnStatistics> ofTable(Table table, List<String> columns) {
        if (columns.isEmpty()) {
            return List.of();
        }
        var found = stores.read(
                "read statistics of " + table.qualifiedName(),
                store -> store.getTableColumnStatistics(
                        CATALOG, table.database(), table.name(), new ArrayList<>(columns), ENGINE));
        return fromThrift(table, found);
    }

    Map<String, List<ColumnStatistics>> ofPartitions(Table table, List<String> names, List<String> columns) {
        Map<String, List<ColumnStatistics>> statistics = new HashMap<>();
        if (columns.isEmpty()) {
            return statistics;
        }
        for (List<String> batch : stores.batches(names)) {
            var found = stores.read(
                    "read statistics of partitions of " + table.qualifiedName(),
                    store -> store.getPartitionColumnStatistics(
                            CATALOG, table.database(), table.name(), batch, new ArrayList<>(columns), ENGINE));
            for (var one : found) {
                statistics.put(one.getStatsDesc().getPartName(), fromThrift(table, one));
            }
        }
        return statistics;
    }

    private static List<ColumnStatistics> fromThrift(
            Table table, org.apache.hadoop.hive.metastore.api.@Nullable ColumnStatistics found) {
        List<ColumnStatistics> statistics = new ArrayList<>();
        if (found != null) {
            Map<String, SqlType> types = types(table);
            for (ColumnStatisticsObj object : found.getStatsObj()) {
                SqlType type = types.get(object.getColName());
                if (type != null && StatisticsConversion.isOf(object, type)) {
                    statistics.add(StatisticsConversion.fromThrift(object, type));
                }
            }
        }
        return statistics;
    }

    private static Map<String, SqlType> types(Table table) {
        Map<String, SqlType> types = new HashMap<>();
        for (FieldSchema column : table.columns()) {
            types.put(column.name(), column.type());
        }
        return types;
    }

    void putTable(Table table, List<ColumnStatistics> statistics) {
        if (statistics.isEmpty()) {
            return;
        }
        stores.write("write statistics of " + table.qualifiedName(), store -> {
            put(store, HiveTables.require(store, table.database(), table.name()), table, statistics);
            return true;
        });
    }

    /**
     * Writes statistics in the store's open transaction.
     *
     * @param owner the table as the store has it
     */
    void put(
            RawStore store,
            org.apache.hadoop.hive.metastore.api.Table owner,
            Table table,
            List<ColumnStatistics> statistics)
            throws Exception {
        // The nesting depth of the library's query grows with the number of columns, so columns are written in batches.
        for (List<ColumnStatistics> some : stores.batches(statistics)) {
            var target = toThrift(table, some, null);
            forget(store, table, incomplete(some));
            var parameters = store.updateTableColumnStatistics(target, null, -1);
            log.updatedTableStatistics(store, owner, target, parameters);
        }
        if (table.isTransactional() && !statistics.isEmpty()) {
            var marked =
                    HiveTables.require(store, table.database(), table.name()).deepCopy();
            unmark(marked.getParameters());
            store.alterTable(CATALOG, table.database(), table.name(), marked, null);
        }
    }

    /** The library has marked the columns as exact. Those of a transactional table are estimates. */
    private static void unmark(Map<String, String> properties) {
        properties.remove(StatsSetupConst.COLUMN_STATS_ACCURATE);
    }

    void putPartitions(Table table, Map<String, List<ColumnStatistics>> statistics) {
        stores.write("write statistics of partitions of " + table.qualifiedName(), store -> {
            var owner = HiveTables.require(store, table.database(), table.name());
            for (var entry : statistics.entrySet()) {
                List<String> values = new ArrayList<>(PartitionName.values(entry.getKey()));
                for (List<ColumnStatistics> some : stores.batches(entry.getValue())) {
                    var target = toThrift(table, some, entry.getKey());
                    forget(store, table, entry.getKey(), incomplete(some));
                    var parameters = store.updatePartitionColumnStatistics(target, values, null, -1);
                    log.updatedPartitionStatistics(store, owner, target, values, parameters);
                }
                if (table.isTransactional()) {
                    unmarkPartition(store, table, values);
                }
            }
            return true;
        });
    }

    private static void unmarkPartition(RawStore store, Table table, List<String> values) throws Exception {
        var marked = store.getPartition(CATALOG, table.database(), table.name(), values)
                .deepCopy();
        unmark(marked.getParameters());
        store.alterPartition(CATALOG, table.database(), table.name(), values, marked, null);
    }

    /**
     * Returns the columns that lack a value their type may have. The library would keep the old bounds and sketches for
     * them.
     */
    private static List<String> incomplete(List<ColumnStatistics> statistics) {
        List<String> columns = new ArrayList<>();
        for (ColumnStatistics one : statistics) {
            boolean counted = one.trueCount() >= 0;
            boolean sized = one.maxLength() >= 0;
            boolean sketched = !counted && one.distinctValues() >= 0;
            boolean unbounded =
                    !counted && !sized && (one.low().isEmpty() || one.high().isEmpty());
            boolean spread = !counted && !sized;
            if (unbounded
                    || sketched && one.sketch().isEmpty()
                    || spread && one.histogram().isEmpty()) {
                columns.add(one.column());
            }
        }
        return columns;
    }

    private static void forget(RawStore store, Table table, List<String> columns) throws Exception {
        var known = columns.isEmpty()
                ? null
                : store.getTableColumnStatistics(CATALOG, table.database(), table.name(), columns, ENGINE);
        if (known != null) {
            for (ColumnStatisticsObj one : known.getStatsObj()) {
                store.deleteTableColumnStatistics(CATALOG, table.database(), table.name(), one.getColName(), ENGINE);
            }
        }
    }

    private static void forget(RawStore store, Table table, String partition, List<String> columns) throws Exception {
        if (columns.isEmpty()) {
            return;
        }
        for (var known : store.getPartitionColumnStatistics(
                CATALOG,
                table.database(),
                table.name(),
                new ArrayList<>(List.of(partition)),
                new ArrayList<>(columns),
                ENGINE)) {
            for (ColumnStatisticsObj one : known.getStatsObj()) {
                List<String> values = new ArrayList<>(PartitionName.values(partition));
                store.deletePartitionColumnStatistics(
                        CATALOG, table.database(), table.name(), partition, values, one.getColName(), ENGINE);
            }
        }
    }

    private static org.apache.hadoop.hive.metastore.api.ColumnStatistics toThrift(
            Table table, List<ColumnStatistics> statistics, @Nullable String partition) {
        ColumnStatisticsDesc description = new ColumnStatisticsDesc(partition == null, table.database(), table.name());
        description.setCatName(CATALOG);
        description.setPartName(partition);
        description.setLastAnalyzed(System.currentTimeMillis() / 1000);
        Map<String, SqlType> types = types(table);
        List<ColumnStatisticsObj> objects = new ArrayList<>();
        for (ColumnStatistics one : statistics) {
            SqlType type = types.get(one.column());
            if (type == null) {
                throw new IllegalArgumentException(
                        "statistics of '" + one.column() + "', which is not a column of " + table.qualifiedName());
            }
            objects.add(StatisticsConversion.toThrift(one, type));
        }
        var target = new org.apache.hadoop.hive.metastore.api.ColumnStatistics(description, objects);
        target.setEngine(ENGINE);
        return target;
    }
}
