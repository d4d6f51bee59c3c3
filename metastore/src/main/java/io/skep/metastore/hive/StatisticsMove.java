package io.skep.metastore.hive;

import static io.skep.metastore.hive.TableConversion.CATALOG;

import io.skep.metastore.PartitionName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.ColumnStatistics;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsObj;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.NullUnmarked;

/**
 * Column statistics that are kept over a change of their table. The rows contain the names of the database, the table
 * and the column. Therefore they are removed before the change and written again after it. Statistics of dropped
 * columns are left out, as are those of columns whose type or position changed, since some formats find values by
 * position. The library marks the written statistics as exact, so those that were not exact before are marked as
 * inexact again.
 *
 * @param partitions statistics by partition name
 * @param parameters the partitions' parameters before the change, by name; the table's own under ""
 */
@NullUnmarked
record StatisticsMove(
        List<ColumnStatistics> table,
        Map<String, ColumnStatistics> partitions,
        Map<String, Map<String, String>> parameters,
        List<FieldSchema> columns) {
    static final String ENGINE = "hive";

    static StatisticsMove none() {
        return new StatisticsMove(List.of(), Map.of(), Map.of(), List.of());
    }

    /** Removes and returns the table's own statistics, or those of all partitions if requested. */
    static StatisticsMove take(
            RawStore store, Table table, boolean withPartitions, Function<List<String>, List<List<String>>> batches)
            throws Exception {
        String database = table.getDbName();
        String name = table.getTableName();
        if (table.getPartitionKeysSize() > 0) {
            StatisticsMove all = new StatisticsMove(
                    List.of(), new HashMap<>(), new HashMap<>(), table.getSd().getCols());
            List<String> names =
                    withPartitions ? store.listPartitionNames(CATALOG, database, name, (short) -1) : List.of();
            for (List<String> batch : batches.apply(names)) {
                StatisticsMove taken = takePartitions(store, table, batch);
                all.partitions().putAll(taken.partitions());
                all.parameters().putAll(taken.parameters());
            }
            return all;
        }
        ColumnStatistics statistics =
                store.getTableColumnStatistics(CATALOG, database, name, columnNames(table), ENGINE);
        store.deleteTableColumnStatistics(CATALOG, database, name, null, ENGINE);
        boolean any = statistics != null && statistics.getStatsObjSize() > 0;
        return new StatisticsMove(
                any ? List.of(statistics) : List.of(),
                Map.of(),
                Map.of("", new HashMap<>(table.getParameters())),
                table.getSd().getCols());
    }

    static StatisticsMove takePartitions(RawStore store, Table table, List<String> names) throws Exception {
        if (names.isEmpty()) {
            return none();
        }
        String database = table.getDbName();
        Map<String, ColumnStatistics> partitions = new HashMap<>();
        for (ColumnStatistics one : store.getPartitionColumnStatistics(
                CATALOG, database, table.getTableName(), new ArrayList<>(names), columnNames(table), ENGINE)) {
            String partition = one.getStatsDesc().getPartName();
            partitions.put(partition, one);
            List<String> values = new ArrayList<>(PartitionName.values(partition));
            store.deletePartitionColumnStatistics(
                    CATALOG, database, table.getTableName(), partition, values, null, ENGINE);
        }
        Map<String, Map<String, String>> parameters = new HashMap<>();
        for (Partition partition : store.getPartitionsByNames(CATALOG, database, table.getTableName(), names)) {
            parameters.put(name(table, partition), new HashMap<>(partition.getParameters()));
        }
        return new StatisticsMove(
                List.of(), partitions, parameters, table.getSd().getCols());
    }

    private static String name(Table table, Partition partition) {
        List<String> keys = new ArrayList<>();
        table.getPartitionKeys().forEach(key -> keys.add(key.getName()));
        return PartitionName.of(keys, partition.getValues());
    }

    private static List<String> columnNames(Table table) {
        List<String> columns = new ArrayList<>();
        table.getSd().getCols().forEach(column -> columns.add(column.getName()));
        return columns;
    }

    StatisticsMove renamePartition(String from, String to) {
        ColumnStatistics moved = partitions.get(from);
        if (moved == null) {
            return this;
        }
        moved.getStatsDesc().setPartName(to);
        return new StatisticsMove(
                table, Map.of(to, moved), Map.of(to, parameters.getOrDefault(from, Map.of())), columns);
    }

    void put(RawStore store, Table after) throws Exception {
        Set<String> unchanged = unchanged(after);
        for (ColumnStatistics statistics : table) {
            retarget(statistics, after, unchanged);
            if (statistics.getStatsObjSize() > 0) {
                store.updateTableColumnStatistics(statistics, null, -1);
                // The library returns empty maps that it does not take back; a copy has its own.
                Table marked = store.getTable(CATALOG, after.getDbName(), after.getTableName())
                        .deepCopy();
                if (unmark(statistics, "", marked.getParameters())) {
                    store.alterTable(CATALOG, after.getDbName(), after.getTableName(), marked, null);
                }
            }
        }
        for (ColumnStatistics statistics : partitions.values()) {
            retarget(statistics, after, unchanged);
            if (statistics.getStatsObjSize() > 0) {
                putPartition(store, after, statistics);
            }
        }
    }

    private void putPartition(RawStore store, Table after, ColumnStatistics statistics) throws Exception {
        String name = statistics.getStatsDesc().getPartName();
        List<String> values = new ArrayList<>(PartitionName.values(name));
        store.updatePartitionColumnStatistics(statistics, values, null, -1);
        Partition marked = store.getPartition(CATALOG, after.getDbName(), after.getTableName(), values)
                .deepCopy();
        if (unmark(statistics, name, marked.getParameters())) {
            store.alterPartition(CATALOG, after.getDbName(), after.getTableName(), values, marked, null);
        }
    }

    /** Marks columns as inexact that were not exact before. Returns whether there are any. */
    private boolean unmark(ColumnStatistics statistics, String name, Map<String, String> now) {
        Map<String, String> before = parameters.getOrDefault(name, Map.of());
        List<String> inexact = new ArrayList<>();
        for (ColumnStatisticsObj one : statistics.getStatsObj()) {
            if (!StatsSetupConst.areColumnStatsUptoDate(before, one.getColName())) {
                inexact.add(one.getColName());
            }
        }
        StatsSetupConst.removeColumnStatsState(now, inexact);
        return !inexact.isEmpty();
    }

    private Set<String> unchanged(Table after) {
        List<FieldSchema> now = after.getSd().getCols();
        Set<String> unchanged = new HashSet<>();
        for (int i = 0; i < Math.min(columns.size(), now.size()); i++) {
            FieldSchema column = columns.get(i);
            if (column.getName().equals(now.get(i).getName())
                    && column.getType().equals(now.get(i).getType())) {
                unchanged.add(column.getName());
            }
        }
        return unchanged;
    }

    private static void retarget(ColumnStatistics statistics, Table after, Set<String> columns) {
        statistics.getStatsDesc().setDbName(after.getDbName());
        statistics.getStatsDesc().setTableName(after.getTableName());
        statistics.setStatsObj(new ArrayList<>(statistics.getStatsObj()));
        statistics.getStatsObj().removeIf(one -> !columns.contains(one.getColName()));
    }
}
