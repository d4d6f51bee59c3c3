package io.skep.ql.statement;

import io.skep.metastore.BasicStatistics;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.storage.write.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
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

    /** What is to be kept of a place: its properties, and statistics of columns. */
    record Recorded(Map<String, String> properties, List<ColumnStatistics> statistics) {}

    void recordTable(Table table, List<WrittenFile> added, boolean replaced, GatheredStatistics gathered) {
        Recorded recorded = with(
                table.properties(),
                added,
                replaced,
                table.storage().location(),
                gathered,
                columns -> context.catalog().tableStatistics(table, columns));
        TableStore.replace(table, Revision.properties(table, recorded.properties()), false, context);
        if (!recorded.statistics().isEmpty()) {
            context.catalog().putTableStatistics(table, recorded.statistics());
        }
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
        if (!sameData(before, after)) {
            // Of columns nothing was counted.
            after.remove(ACCURATE);
        }
        StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        return after;
    }

    private static boolean sameData(Map<String, String> before, Map<String, String> after) {
        return Stream.of(ROWS, FILES, BYTES).allMatch(name -> Objects.equals(before.get(name), after.get(name)));
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

    /**
     * After rows were written. Their number is known only when it was before, and so are statistics of columns; files and
     * bytes are counted where they are.
     *
     * @param replaced whether nothing is left of what was there
     * @param known statistics of columns as they were before
     */
    Recorded with(
            Map<String, String> before,
            List<WrittenFile> added,
            boolean replaced,
            String location,
            GatheredStatistics gathered,
            Function<List<String>, List<ColumnStatistics>> known) {
        List<TableFiles.TableFile> files = context.services().files().files(location);
        boolean alone = replaced || files.size() == added.size();
        Map<String, String> after = withRows(before, added, files, alone);
        List<ColumnStatistics> earlier = alone ? List.of() : known.apply(gathered.names());
        GatheredStatistics whole = alone
                ? gathered
                : gathered.added(earlier, BasicStatistics.of(before).exactColumns());
        if (!whole.columns().isEmpty()) {
            StatsSetupConst.setColumnStatsState(after, whole.names());
        }
        // What has not changed need not be written again.
        return new Recorded(
                after,
                whole.columns().stream().filter(one -> !earlier.contains(one)).toList());
    }

    private Map<String, String> withRows(
            Map<String, String> before, List<WrittenFile> added, List<TableFiles.TableFile> files, boolean alone) {
        long rows = added.stream().mapToLong(WrittenFile::rowCount).sum();
        Map<String, String> after = withFiles(before, files);
        after.remove(ACCURATE);
        if (!context.settings().getBoolean("hive.stats.autogather")) {
            return after;
        }
        if (alone || StatsSetupConst.areBasicStatsUptoDate(before)) {
            long earlier = alone ? 0 : Long.parseLong(before.getOrDefault(ROWS, "0"));
            after.put(ROWS, Long.toString(earlier + rows));
            StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        } else {
            after.putIfAbsent(ROWS, "0");
        }
        after.putIfAbsent(RAW_BYTES, "0");
        return after;
    }
}
