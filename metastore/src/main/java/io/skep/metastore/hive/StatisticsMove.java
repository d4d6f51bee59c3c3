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
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.ColumnStatistics;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.NullUnmarked;

/**
 * Column statistics carried over a change of their table. The rows name the database, the table and the column, so they are
 * taken out before and put back after, without those of columns that are gone or of another type.
 *
 * @param partitions by partition name
 */
@NullUnmarked
record StatisticsMove(
        List<ColumnStatistics> table, Map<String, ColumnStatistics> partitions, List<FieldSchema> columns) {
    static final String ENGINE = "hive";

    static StatisticsMove none() {
        return new StatisticsMove(List.of(), Map.of(), List.of());
    }

    /** Takes out the table's own, or those of all partitions if these are asked for. */
    static StatisticsMove take(
            RawStore store, Table table, boolean withPartitions, Function<List<String>, List<List<String>>> batches)
            throws Exception {
        String database = table.getDbName();
        String name = table.getTableName();
        if (table.getPartitionKeysSize() > 0) {
            StatisticsMove all =
                    new StatisticsMove(List.of(), new HashMap<>(), table.getSd().getCols());
            List<String> names =
                    withPartitions ? store.listPartitionNames(CATALOG, database, name, (short) -1) : List.of();
            for (List<String> batch : batches.apply(names)) {
                all.partitions().putAll(takePartitions(store, table, batch).partitions());
            }
            return all;
        }
        ColumnStatistics statistics =
                store.getTableColumnStatistics(CATALOG, database, name, columnNames(table), ENGINE);
        store.deleteTableColumnStatistics(CATALOG, database, name, null, ENGINE);
        boolean any = statistics != null && statistics.getStatsObjSize() > 0;
        return new StatisticsMove(
                any ? List.of(statistics) : List.of(), Map.of(), table.getSd().getCols());
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
        return new StatisticsMove(List.of(), partitions, table.getSd().getCols());
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
        return new StatisticsMove(table, Map.of(to, moved), columns);
    }

    void put(RawStore store, Table after) throws Exception {
        Set<String> unchanged = unchanged(after);
        for (ColumnStatistics statistics : table) {
            retarget(statistics, after, unchanged);
            if (statistics.getStatsObjSize() > 0) {
                store.updateTableColumnStatistics(statistics, null, -1);
            }
        }
        for (ColumnStatistics statistics : partitions.values()) {
            retarget(statistics, after, unchanged);
            if (statistics.getStatsObjSize() > 0) {
                List<String> values =
                        PartitionName.values(statistics.getStatsDesc().getPartName());
                store.updatePartitionColumnStatistics(statistics, new ArrayList<>(values), null, -1);
            }
        }
    }

    private Set<String> unchanged(Table after) {
        Set<FieldSchema> now = new HashSet<>();
        after.getSd().getCols().forEach(column -> now.add(new FieldSchema(column.getName(), column.getType(), null)));
        Set<String> unchanged = new HashSet<>();
        for (FieldSchema column : columns) {
            if (now.contains(new FieldSchema(column.getName(), column.getType(), null))) {
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
