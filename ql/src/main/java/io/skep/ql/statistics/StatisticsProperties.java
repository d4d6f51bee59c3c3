package io.skep.ql.statistics;

import io.skep.metastore.BasicStatistics;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.ViewTimeZone;
import io.skep.storage.write.WrittenFile;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.jspecify.annotations.Nullable;

/** Basic statistics of tables and partitions, stored as in Hive: in their properties. */
public final class StatisticsProperties {
    static final String ROWS = "numRows";
    static final String FILES = "numFiles";
    static final String BYTES = "totalSize";
    static final String RAW_BYTES = "rawDataSize";
    public static final String DDL_TIME = "transient_lastDdlTime";
    public static final String ACCURATE = "COLUMN_STATS_ACCURATE";

    /** Identifies the files that the statistics describe. Hive has no such property, and leaves it unchanged. */
    public static final String LISTING = "skep.listing";

    private static final Set<String> FIGURES = Set.of(ROWS, FILES, BYTES, RAW_BYTES, ACCURATE, LISTING);

    /** Statistics of columns are written anew after an INSERT of at least one row in this number. */
    private static final long NOTED_GROWTH = 20;

    private final StatementContext context;

    public StatisticsProperties(StatementContext context) {
        this.context = context;
    }

    /** What is stored for a table or partition: its properties, and statistics of columns. */
    public record Recorded(Map<String, String> properties, List<ColumnStatistics> statistics) {}

    /**
     * What was written to a table or partition.
     *
     * @param files the files as they were written
     * @param paths the paths of the files after the commit
     * @param replaced whether the former content was removed
     */
    public record Written(List<WrittenFile> files, Set<String> paths, boolean replaced) {}

    /** Returns the properties that users may see. */
    public static Map<String, String> shown(Map<String, String> properties) {
        Map<String, String> shown = new TreeMap<>(properties);
        shown.remove(LISTING);
        shown.remove(ViewTimeZone.PROPERTY);
        return shown;
    }

    /**
     * Returns the properties with all statistics marked inexact. Queries are not answered from these until rows are
     * counted again.
     */
    public static Map<String, String> uncertain(Map<String, String> properties) {
        Map<String, String> uncertain = new TreeMap<>(properties);
        uncertain.remove(ACCURATE);
        return uncertain;
    }

    /**
     * Returns the properties of a transactional table or partition after files or rows were counted. Files alone do not
     * say which rows a transaction sees, so the figures are good for estimates only.
     */
    public static Map<String, String> estimated(Map<String, String> properties) {
        Map<String, String> estimated = uncertain(properties);
        estimated.remove(LISTING);
        return estimated;
    }

    /** Like {@link #uncertain(Map)}, for the statistics of one column; the row statistics stay exact. */
    public static Map<String, String> uncertain(Map<String, String> properties, String column) {
        Map<String, String> uncertain = new TreeMap<>(properties);
        StatsSetupConst.removeColumnStatsState(uncertain, List.of(column));
        return uncertain;
    }

    /** Whether a user has set a statistic, or its exactness, instead of counting. */
    public static boolean isSetByUser(Map<String, String> before, Map<String, String> after) {
        return FIGURES.stream().anyMatch(name -> !Objects.equals(before.get(name), after.get(name)));
    }

    /** Whether the statistics describe these files. Hive stores only their number and size. */
    static boolean describeFiles(Map<String, String> properties, String location, List<TableFiles.TableFile> files) {
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
        context.catalog().recordWrite(Revision.properties(table, recorded.properties()), recorded.statistics());
    }

    /** Returns the properties after files were added whose rows were not counted. An earlier number of rows stays. */
    public Map<String, String> ofUncounted(Map<String, String> before, String location) {
        return uncertain(withFiles(before, location, context.services().files().files(location)));
    }

    /** Returns the properties after only files have been counted. */
    public Map<String, String> ofFiles(Map<String, String> before, String location) {
        List<TableFiles.TableFile> files = context.services().files().files(location);
        Map<String, String> after = withFiles(before, location, files);
        return describeFiles(before, location, files) ? after : uncertain(after);
    }

    /** Returns the properties after rows have been counted. */
    public Map<String, String> ofCounted(Map<String, String> before, String location, long rows) {
        List<TableFiles.TableFile> files = context.services().files().files(location);
        Map<String, String> after = withFiles(before, location, files);
        after.put(ROWS, Long.toString(rows));
        after.putIfAbsent(RAW_BYTES, "0");
        if (!Objects.equals(before.get(ROWS), after.get(ROWS)) || !describeFiles(before, location, files)) {
            // Columns were not counted.
            after.remove(ACCURATE);
        }
        StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        return after;
    }

    /**
     * Returns the properties of a table or partition without files. Statistics of columns describe rows that are gone.
     */
    public Map<String, String> ofEmpty(Map<String, String> before) {
        Map<String, String> after = uncertain(withFiles(before, "", List.of()));
        after.put(ROWS, "0");
        after.put(RAW_BYTES, "0");
        StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        return after;
    }

    /** Returns the properties of a new partition without files. */
    public Map<String, String> ofNew(List<FieldSchema> columns) {
        if (!gathers()) {
            return Map.of(DDL_TIME, now());
        }
        Map<String, String> after = ofEmpty(Map.of());
        StatsSetupConst.setColumnStatsState(
                after, columns.stream().map(FieldSchema::name).toList());
        return after;
    }

    /** Returns the properties of a new partition whose folder may have files. */
    public Map<String, String> ofFound(String location) {
        return gathers() ? ofUncounted(Map.of(), location) : Map.of(DDL_TIME, now());
    }

    private boolean gathers() {
        return context.settings().getBoolean("hive.stats.autogather");
    }

    private String now() {
        return Long.toString(context.services().clock().instant().getEpochSecond());
    }

    private Map<String, String> withFiles(
            Map<String, String> before, String location, List<TableFiles.TableFile> files) {
        Map<String, String> after = new TreeMap<>(before);
        after.put(FILES, Integer.toString(files.size()));
        after.put(BYTES, Long.toString(bytes(files)));
        after.put(LISTING, PlaceListing.of(location, files));
        after.put(DDL_TIME, now());
        return after;
    }

    /**
     * Returns what to store after rows were written. The number of rows is known only if it was known before for
     * exactly the other files that exist besides the new ones. The same holds for statistics of columns. Files and
     * bytes are counted where they are. As in Hive, an INSERT INTO begins no statistics where there were none.
     *
     * @param known returns the former statistics of columns
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
        boolean alone =
                isWhole && beside.isEmpty() && (written.replaced() || StatsSetupConst.areBasicStatsUptoDate(before));
        boolean added = isWhole && !written.replaced() && describeFiles(before, location, beside);
        Map<String, String> after = withFiles(before, location, files);
        after.remove(ACCURATE);
        if (alone || added) {
            withRows(after, before, written, alone);
        }
        List<ColumnStatistics> earlier = alone || !added ? List.of() : known.apply(gathered.names());
        GatheredStatistics whole = alone
                ? gathered
                : gathered.added(earlier, BasicStatistics.of(before).exactColumns());
        if (!whole.columns().isEmpty()) {
            StatsSetupConst.setColumnStatsState(after, whole.names());
        }
        // Unchanged statistics need not be written again.
        return new Recorded(
                after,
                whole.columns().stream().filter(one -> !earlier.contains(one)).toList());
    }

    /**
     * Returns the properties of a transactional table or partition after a statement has written to it. They count what
     * transactions have added, whether these commit or not, and are only good for estimates.
     */
    public Map<String, String> ofTransaction(Map<String, String> before, Written written) {
        Map<String, String> after = estimated(before);
        boolean replaced = written.replaced();
        if (gathers()) {
            add(after, ROWS, rows(written), replaced);
            after.putIfAbsent(RAW_BYTES, "0");
        }
        add(after, FILES, written.files().size(), replaced);
        add(
                after,
                BYTES,
                written.files().stream().mapToLong(WrittenFile::length).sum(),
                replaced);
        after.put(DDL_TIME, now());
        return after;
    }

    /**
     * Like {@link #ofTransaction(Map, Written)}, with statistics of columns. These are written anew only where the
     * statement has added a good part of the rows, since that takes longer than a small INSERT.
     *
     * @param known returns the former statistics of columns
     */
    public Recorded ofTransaction(
            Map<String, String> before,
            Written written,
            GatheredStatistics gathered,
            Function<List<String>, List<ColumnStatistics>> known) {
        boolean isFirst = written.replaced() || "0".equals(before.get(FILES));
        long earlier = number(before.get(ROWS)).longValue();
        List<ColumnStatistics> columns = List.of();
        if (isFirst) {
            columns = gathered.columns();
        } else if (!gathered.columns().isEmpty() && rows(written) >= earlier / NOTED_GROWTH) {
            columns = gathered.added(known.apply(gathered.names()), Set.copyOf(gathered.names()))
                    .columns();
        }
        return new Recorded(ofTransaction(before, written), columns);
    }

    private static long rows(Written written) {
        return written.files().stream().mapToLong(WrittenFile::rowCount).sum();
    }

    private static void add(Map<String, String> properties, String name, long amount, boolean replaced) {
        BigInteger before = replaced ? BigInteger.ZERO : number(properties.get(name));
        properties.put(
                name,
                before.add(BigInteger.valueOf(amount)).max(BigInteger.ZERO).toString());
    }

    /** Users may set the figures. */
    private static BigInteger number(@Nullable String text) {
        return text == null || !text.matches("\\d{1,18}") ? BigInteger.ZERO : new BigInteger(text);
    }

    private void withRows(Map<String, String> after, Map<String, String> before, Written written, boolean alone) {
        if (gathers() && (alone || StatsSetupConst.areBasicStatsUptoDate(before))) {
            long earlier = alone ? 0 : Long.parseLong(before.getOrDefault(ROWS, "0"));
            after.put(ROWS, Long.toString(earlier + rows(written)));
            after.putIfAbsent(RAW_BYTES, "0");
            StatsSetupConst.setBasicStatsState(after, StatsSetupConst.TRUE);
        }
    }
}
