package io.skep.ql.statement;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.storage.write.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hive.common.StatsSetupConst;

/** Basic statistics of tables and partitions, kept as Hive keeps them: in their properties. */
final class TableFigures {
    static final String ROWS = "numRows";
    static final String FILES = "numFiles";
    static final String BYTES = "totalSize";
    static final String RAW_BYTES = "rawDataSize";
    static final String DDL_TIME = "transient_lastDdlTime";
    static final String ACCURATE = "COLUMN_STATS_ACCURATE";

    private final StatementContext context;

    TableFigures(StatementContext context) {
        this.context = context;
    }

    void recordTable(Table table, List<WrittenFile> added, boolean replaced) {
        Map<String, String> properties =
                with(table.properties(), added, replaced, table.storage().location());
        TableStore.replace(table, Revision.properties(table, properties), false, context);
    }

    /** After files came whose rows nobody has counted. */
    Map<String, String> ofUncounted(Map<String, String> before, String location) {
        Map<String, String> after = withFiles(before, context.services().files().files(location));
        after.remove(ACCURATE);
        after.putIfAbsent(ROWS, "0");
        after.putIfAbsent(RAW_BYTES, "0");
        return after;
    }

    /** After files have been counted and nothing else. */
    Map<String, String> ofFiles(Map<String, String> before, String location) {
        return withFiles(before, context.services().files().files(location));
    }

    /** After rows have been counted. */
    Map<String, String> ofCounted(Map<String, String> before, String location, long rows) {
        Map<String, String> after = withFiles(before, context.services().files().files(location));
        after.put(ROWS, Long.toString(rows));
        after.putIfAbsent(RAW_BYTES, "0");
        StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        return after;
    }

    /** Of a place without files. */
    Map<String, String> ofEmpty(Map<String, String> before) {
        Map<String, String> after = withFiles(before, List.of());
        after.put(ROWS, "0");
        after.put(RAW_BYTES, "0");
        StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        return after;
    }

    private Map<String, String> withFiles(Map<String, String> before, List<TableFiles.TableFile> files) {
        Map<String, String> after = new TreeMap<>(before);
        after.put(FILES, Integer.toString(files.size()));
        after.put(
                BYTES,
                Long.toString(
                        files.stream().mapToLong(TableFiles.TableFile::length).sum()));
        after.put(DDL_TIME, Long.toString(context.services().clock().instant().getEpochSecond()));
        return after;
    }

    Partition withFigures(Partition partition, List<WrittenFile> added, boolean replaced) {
        Map<String, String> properties = with(
                partition.properties(), added, replaced, partition.storage().location());
        return new Partition(
                partition.values(),
                partition.createTime(),
                partition.lastAccessTime(),
                partition.storage(),
                properties);
    }

    /** Rows are known only when those before were; files and bytes are counted where they are. */
    private Map<String, String> with(
            Map<String, String> before, List<WrittenFile> added, boolean replaced, String location) {
        long rows = added.stream().mapToLong(WrittenFile::rowCount).sum();
        List<TableFiles.TableFile> files = context.services().files().files(location);
        Map<String, String> after = withFiles(before, files);
        if (!context.settings().getBoolean("hive.stats.autogather")) {
            after.remove(ACCURATE);
            return after;
        }
        boolean alone = replaced || files.size() == added.size();
        if (alone || StatsSetupConst.areBasicStatsUptoDate(before)) {
            long earlier = alone ? 0 : Long.parseLong(before.getOrDefault(ROWS, "0"));
            after.put(ROWS, Long.toString(earlier + rows));
            after.remove(ACCURATE);
            StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        } else {
            after.remove(ACCURATE);
            after.putIfAbsent(ROWS, "0");
        }
        after.putIfAbsent(RAW_BYTES, "0");
        return after;
    }
}
