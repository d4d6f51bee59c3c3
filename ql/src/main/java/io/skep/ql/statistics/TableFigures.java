package io.skep.ql.statistics;

import io.skep.metastore.BasicStatistics;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.storage.write.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hive.common.StatsSetupConst;

/** Basic statistics of tables and partitions, kept as Hive keeps them: in their properties. */
public final class TableFigures {
    static final String ROWS = "numRows";
    static final String FILES = "numFiles";
    static final String BYTES = "totalSize";
    static final String RAW_BYTES = "rawDataSize";
    public static final String DDL_TIME = "transient_lastDdlTime";
    public static final String ACCURATE = "COLUMN_STATS_ACCURATE";

    /** Which files the figures are of; Hive has no such property, and leaves it as it is. */
    public static final String LISTING = "skep.listing";

    private static final Set<String> FIGURES = Set.of(ROWS, FILES, BYTES, RAW_BYTES, ACCURATE, LISTING);

    private final StatementContext context;

    public TableFigures(StatementContext context) {
        this.context = context;
    }

    /** What is to be kept of a place: its properties, and statistics of columns. */
    public record Recorded(Map<String, String> properties, List<ColumnStatistics> statistics) {}

    /**
     * What was written to a place.
     *
     * @param files as they were written
     * @param paths where they are now
     * @param replaced whether what was there before has gone
     */
    public record Written(List<WrittenFile> files, Set<String> paths, boolean replaced) {}

    /** What users are shown of properties. */
    public static Map<String, String> shown(Map<String, String> properties) {
        Map<String, String> shown = new TreeMap<>(properties);
        shown.remove(LISTING);
        return shown;
    }

    /** Queries are not answered from these until rows are counted again. */
    public static Map<String, String> uncertain(Map<String, String> properties) {
        Map<String, String> uncertain = new TreeMap<>(properties);
        uncertain.remove(ACCURATE);
        return uncertain;
    }

    /** The same for what is known of one column; figures of rows stay. */
    public static Map<String, String> uncertain(Map<String, String> properties, String column) {
        Map<String, String> uncertain = new TreeMap<>(properties);
        StatsSetupConst.removeColumnStatsState(uncertain, List.of(column));
        return uncertain;
    }

    /** Whether a user has set a figure, or how exact the figures are, rather than counted. */
    public static boolean isSaid(Map<String, String> before, Map<String, String> after) {
        return FIGURES.stream().anyMatch(name -> !Objects.equals(before.get(name), after.get(name)));
    }

    /** Whether files are those that the figures are of. Hive keeps their number and size only. */
    static boolean areOf(Map<String, String> properties, String location, List<TableFiles.TableFile> files) {
        String listing = properties.get(LISTING);
        return Integer.toString(files.size()).equals(properties.get(FILES))
                && Long.toString(bytes(files)).equals(properties.get(BYTES))
                && (listing == null || listing.equals(PlaceListing.of(location, files)));
    }

    private static long bytes(List<TableFiles.TableFile> files) {
        return files.stream().mapToLong(TableFiles.TableFile::length).sum();
    }

    public void recordTable(Table table, Written written, GatheredStatistics gathered) {
        Recorded recorded = with(
                table.properties(),
                written,
                table.storage().location(),
                gathered,
                columns -> context.catalog().tableStatistics(table, columns));
        TableStore.replace(table, Revision.properties(table, recorded.properties()), false, context);
        if (!recorded.statistics().isEmpty()) {
            context.catalog().putTableStatistics(table, recorded.statistics());
        }
    }

    /** After files came whose rows nobody has counted. */
    public Map<String, String> ofUncounted(Map<String, String> before, String location) {
        Map<String, String> after =
                withFiles(before, location, context.services().files().files(location));
        after.remove(ACCURATE);
        after.putIfAbsent(ROWS, "0");
        after.putIfAbsent(RAW_BYTES, "0");
        return after;
    }

    /** After files have been counted and nothing else. */
    public Map<String, String> ofFiles(Map<String, String> before, String location) {
        List<TableFiles.TableFile> files = context.services().files().files(location);
        Map<String, String> after = withFiles(before, location, files);
        return areOf(before, location, files) ? after : uncertain(after);
    }

    /** After rows have been counted. */
    public Map<String, String> ofCounted(Map<String, String> before, String location, long rows) {
        List<TableFiles.TableFile> files = context.services().files().files(location);
        Map<String, String> after = withFiles(before, location, files);
        after.put(ROWS, Long.toString(rows));
        after.putIfAbsent(RAW_BYTES, "0");
        if (!Objects.equals(before.get(ROWS), after.get(ROWS)) || !areOf(before, location, files)) {
            // Of columns nothing was counted.
            after.remove(ACCURATE);
        }
        StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        return after;
    }

    /** Of a place without files. */
    public Map<String, String> ofEmpty(Map<String, String> before) {
        Map<String, String> after = withFiles(before, "", List.of());
        after.put(ROWS, "0");
        after.put(RAW_BYTES, "0");
        StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        return after;
    }

    private Map<String, String> withFiles(
            Map<String, String> before, String location, List<TableFiles.TableFile> files) {
        Map<String, String> after = new TreeMap<>(before);
        after.put(FILES, Integer.toString(files.size()));
        after.put(BYTES, Long.toString(bytes(files)));
        after.put(LISTING, PlaceListing.of(location, files));
        after.put(DDL_TIME, Long.toString(context.services().clock().instant().getEpochSecond()));
        return after;
    }

    /**
     * After rows were written. Their number is known only when it was before, of the very files that are there beside the new ones,
     * and so are statistics of columns; files and bytes are counted where they are.
     *
     * @param known statistics of columns as they were before
     */
    public Recorded with(
            Map<String, String> before,
            Written written,
            String location,
            GatheredStatistics gathered,
            Function<List<String>, List<ColumnStatistics>> known) {
        List<TableFiles.TableFile> files = context.services().files().files(location);
        List<TableFiles.TableFile> beside = files.stream()
                .filter(file -> !written.paths().contains(file.path()))
                .toList();
        boolean isWhole = files.size() - beside.size() == written.files().size();
        boolean alone = isWhole && beside.isEmpty();
        boolean added = isWhole && !written.replaced() && areOf(before, location, beside);
        Map<String, String> after = withFiles(before, location, files);
        after.remove(ACCURATE);
        if (alone || added) {
            withRows(after, before, written, alone);
        } else {
            after.putIfAbsent(ROWS, "0");
            after.putIfAbsent(RAW_BYTES, "0");
        }
        List<ColumnStatistics> earlier = alone || !added ? List.of() : known.apply(gathered.names());
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

    private void withRows(Map<String, String> after, Map<String, String> before, Written written, boolean alone) {
        if (!context.settings().getBoolean("hive.stats.autogather")) {
            return;
        }
        long rows = written.files().stream().mapToLong(WrittenFile::rowCount).sum();
        if (alone || StatsSetupConst.areBasicStatsUptoDate(before)) {
            long earlier = alone ? 0 : Long.parseLong(before.getOrDefault(ROWS, "0"));
            after.put(ROWS, Long.toString(earlier + rows));
            StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        } else {
            after.putIfAbsent(ROWS, "0");
        }
        after.putIfAbsent(RAW_BYTES, "0");
    }
}
