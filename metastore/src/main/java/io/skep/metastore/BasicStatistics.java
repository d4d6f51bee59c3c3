package io.skep.metastore;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statistics that Hive stores in the properties of a table or partition, and which of them are exact. A query may
 * be answered from exact statistics. Absent values are unknown.
 *
 * @param rawBytes size of the values in memory, as counted by the writer
 * @param exact whether rows and bytes match the current data
 * @param exactColumns columns whose {@link ColumnStatistics} match the current data
 */
public record BasicStatistics(
        OptionalLong rows,
        OptionalLong rawBytes,
        OptionalLong files,
        OptionalLong bytes,
        boolean exact,
        Set<String> exactColumns) {
    private static final String ROWS = "numRows";
    private static final String RAW_BYTES = "rawDataSize";
    private static final String FILES = "numFiles";
    private static final String BYTES = "totalSize";
    private static final String ACCURATE = "COLUMN_STATS_ACCURATE";
    private static final String BASIC = "BASIC_STATS";
    private static final String COLUMNS = "COLUMN_STATS";

    private static final JsonMapper JSON = new JsonMapper();

    /** All values are unknown. */
    public static final BasicStatistics UNKNOWN = new BasicStatistics(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), false, Set.of());

    /** Statistics of a table or partition without data. */
    public static final BasicStatistics EMPTY = UNKNOWN.analyzed(0, 0, 0, 0);

    public BasicStatistics {
        exactColumns = Set.copyOf(exactColumns);
    }

    /** Reads the properties of a table or partition. */
    public static BasicStatistics of(Map<String, String> properties) {
        String accurate = properties.getOrDefault(ACCURATE, "");
        JsonNode parts = parsed(accurate);
        return new BasicStatistics(
                metric(properties.get(ROWS)),
                metric(properties.get(RAW_BYTES)),
                metric(properties.get(FILES)),
                metric(properties.get(BYTES)),
                parts.path(BASIC).asBoolean() || accurate.strip().equalsIgnoreCase("true"),
                parts.path(COLUMNS).properties().stream()
                        .filter(column -> column.getValue().asBoolean())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()));
    }

    /** Returns Hive's JSON of what is exact. It names nothing when it cannot be read, or is the old form: true. */
    private static JsonNode parsed(String accurate) {
        try {
            return JSON.readTree(accurate);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    private static OptionalLong metric(@Nullable String text) {
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(text.strip());
            return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the properties with these statistics in place of the old ones. */
    public Map<String, String> mergeInto(Map<String, String> properties) {
        Map<String, String> changed = new HashMap<>(properties);
        put(changed, ROWS, rows);
        put(changed, RAW_BYTES, rawBytes);
        put(changed, FILES, files);
        put(changed, BYTES, bytes);
        changed.remove(ACCURATE);
        if (exact || !exactColumns.isEmpty()) {
            changed.put(ACCURATE, accurate());
        }
        return changed;
    }

    private static void put(Map<String, String> properties, String name, OptionalLong metric) {
        if (metric.isPresent()) {
            properties.put(name, Long.toString(metric.getAsLong()));
        } else {
            properties.remove(name);
        }
    }

    private String accurate() {
        ObjectNode json = JSON.createObjectNode();
        if (exact) {
            json.put(BASIC, "true");
        }
        if (!exactColumns.isEmpty()) {
            ObjectNode columns = json.putObject(COLUMNS);
            new TreeSet<>(exactColumns).forEach(column -> columns.put(column, "true"));
        }
        return json.toString();
    }

    /** Returns the statistics after all data was counted, or was replaced by data with these statistics. */
    public BasicStatistics analyzed(long rows, long rawBytes, long files, long bytes) {
        return new BasicStatistics(
                OptionalLong.of(rows),
                OptionalLong.of(rawBytes),
                OptionalLong.of(files),
                OptionalLong.of(bytes),
                true,
                Set.of());
    }

    /**
     * Returns the statistics after rows were added. Exact statistics stay exact, but column statistics become inexact.
     *
     * @param files the new total number of files
     * @param bytes the total size of these files
     */
    public BasicStatistics appended(long addedRows, long addedRawBytes, long files, long bytes) {
        boolean wasEmpty = this.files.orElse(-1) == 0 && this.bytes.orElse(-1) == 0;
        BasicStatistics before = wasEmpty ? EMPTY : this;
        return new BasicStatistics(
                plus(before.rows, addedRows),
                plus(before.rawBytes, addedRawBytes),
                OptionalLong.of(files),
                OptionalLong.of(bytes),
                before.exact && before.rows.isPresent(),
                Set.of());
    }

    private static OptionalLong plus(OptionalLong metric, long added) {
        return metric.isPresent() ? OptionalLong.of(metric.getAsLong() + added) : OptionalLong.empty();
    }

    /** Returns the statistics after files were added without reading them. Only their number and size are known. */
    public BasicStatistics filesChanged(long files, long bytes) {
        return new BasicStatistics(
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(files),
                OptionalLong.of(bytes),
                false,
                Set.of());
    }

    /** Returns the same statistics with additional columns whose statistics are exact. */
    public BasicStatistics withExactColumns(Collection<String> columns) {
        Set<String> all = new TreeSet<>(exactColumns);
        all.addAll(columns);
        return new BasicStatistics(rows, rawBytes, files, bytes, exact, all);
    }

    /** Returns the same statistics without any column whose statistics are exact. */
    public BasicStatistics withoutExactColumns() {
        return new BasicStatistics(rows, rawBytes, files, bytes, exact, Set.of());
    }
}
