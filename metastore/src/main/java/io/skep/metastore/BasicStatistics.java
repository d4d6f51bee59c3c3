package io.skep.metastore;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures that Hive keeps among the properties of a table or partition, and which statistics are exact, so that a
 * query may be answered from them. Absent figures are not known.
 *
 * @param rawBytes size of the values in memory, by the writer's count
 * @param exact whether rows and bytes are those of the data as they are
 * @param exactColumns columns whose {@link ColumnStatistics} are those of the data as they are
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

    /** A name and a true in Hive's JSON. */
    private static final Pattern TRUE = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"\\s*:\\s*\"?true\"?");

    /** Nothing is known. */
    public static final BasicStatistics UNKNOWN = new BasicStatistics(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), false, Set.of());

    /** Of a table or partition without data. */
    public static final BasicStatistics EMPTY = UNKNOWN.analyzed(0, 0, 0, 0);

    public BasicStatistics {
        exactColumns = Set.copyOf(exactColumns);
    }

    /** Reads the properties of a table or partition. */
    public static BasicStatistics of(Map<String, String> properties) {
        String accurate = properties.getOrDefault(ACCURATE, "");
        int columns = accurate.indexOf("\"" + COLUMNS + "\"");
        String basic = columns < 0 ? accurate : accurate.substring(0, columns);
        return new BasicStatistics(
                figure(properties.get(ROWS)),
                figure(properties.get(RAW_BYTES)),
                figure(properties.get(FILES)),
                figure(properties.get(BYTES)),
                names(basic).contains(BASIC) || accurate.strip().equalsIgnoreCase("true"),
                columns < 0 ? Set.of() : names(accurate.substring(columns + COLUMNS.length() + 2)));
    }

    private static OptionalLong figure(@Nullable String text) {
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

    private static Set<String> names(String json) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = TRUE.matcher(json);
        while (matcher.find()) {
            names.add(matcher.group(1).replace("\\\"", "\"").replace("\\\\", "\\"));
        }
        return names;
    }

    /** The properties with these figures in place of those that they had. */
    public Map<String, String> into(Map<String, String> properties) {
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

    private static void put(Map<String, String> properties, String name, OptionalLong figure) {
        if (figure.isPresent()) {
            properties.put(name, Long.toString(figure.getAsLong()));
        } else {
            properties.remove(name);
        }
    }

    private String accurate() {
        Map<String, String> parts = new TreeMap<>();
        if (exact) {
            parts.put(BASIC, "\"true\"");
        }
        if (!exactColumns.isEmpty()) {
            StringBuilder columns = new StringBuilder();
            for (String column : new TreeSet<>(exactColumns)) {
                columns.append(columns.isEmpty() ? "{" : ",")
                        .append(quoted(column))
                        .append(":\"true\"");
            }
            parts.put(COLUMNS, columns.append('}').toString());
        }
        StringBuilder json = new StringBuilder();
        parts.forEach((name, value) -> json.append(json.isEmpty() ? "{" : ",")
                .append(quoted(name))
                .append(':')
                .append(value));
        return json.append('}').toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** After all of the data were counted, or replaced by data whose figures these are. */
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
     * After rows were added. They are as exact as those before were; column statistics are no longer.
     *
     * @param files all files that there are now
     * @param bytes their size
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

    private static OptionalLong plus(OptionalLong figure, long added) {
        return figure.isPresent() ? OptionalLong.of(figure.getAsLong() + added) : OptionalLong.empty();
    }

    /** After files came that nobody looked into: their number and size are all that is known. */
    public BasicStatistics filesChanged(long files, long bytes) {
        return new BasicStatistics(
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(files),
                OptionalLong.of(bytes),
                false,
                Set.of());
    }

    /** The same, with more columns whose statistics are exact. */
    public BasicStatistics withExactColumns(Collection<String> columns) {
        Set<String> all = new TreeSet<>(exactColumns);
        all.addAll(columns);
        return new BasicStatistics(rows, rawBytes, files, bytes, exact, all);
    }

    /** The same, when no column's statistics are exact any more. */
    public BasicStatistics withoutExactColumns() {
        return new BasicStatistics(rows, rawBytes, files, bytes, exact, Set.of());
    }
}
