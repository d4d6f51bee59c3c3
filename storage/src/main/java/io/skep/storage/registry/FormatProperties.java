package io.skep.storage.registry;

import io.skep.storage.format.LayoutProperties;
import io.skep.storage.table.TableFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Selects the properties of a table that define the layout of its rows. Hive stores the properties of the format, the
 * table and its statistics in one map and passes all of them to SerDes. In Skep, the properties that a file is read
 * with contain only those that matter for reading.
 */
public final class FormatProperties {
    /** The properties that Hive or Skep writes by itself with each write or change. */
    private static final Set<String> STATISTICS = Set.of(
            "COLUMN_STATS_ACCURATE",
            "DO_NOT_UPDATE_STATS",
            "STATS_GENERATED",
            "STATS_GENERATED_VIA_STATS_TASK",
            "last_modified_by",
            "last_modified_time",
            "numFiles",
            "numFilesErasureCoded",
            "numPartitions",
            "numRows",
            "rawDataSize",
            "runTimeNumRows",
            "skep.listing",
            "totalSize",
            "transient_lastDdlTime");

    /** Names, or prefixes of names, of table properties that Hive's own SerDes and input formats use. */
    private static final List<String> LAYOUT = List.of(
            "avro.",
            "case.insensitive",
            "collection.delim",
            "colelction.delim",
            "column.name.delimiter",
            "columns",
            "date.formats",
            "dots.in.keys",
            "escape.delim",
            "escapeChar",
            "field.delim",
            "fs.",
            "hive.",
            "ignore.malformed.json",
            "input.regex",
            "io.",
            "json.",
            "line.delim",
            "mapkey.delim",
            "mapping.",
            "mapred.",
            "mapreduce.",
            "output.format.string",
            "quote.delim",
            "quoteChar",
            "separatorChar",
            "serialization.",
            "skip.footer.line.count",
            "skip.header.line.count",
            "text.",
            "textinputformat.",
            "timestamp.formats");

    /** Prefixes of names of table properties that only writers use. */
    private static final List<String> WRITING = Stream.concat(
                    Stream.of("bucketing_version", "transactional"),
                    FileFormats.ALL.stream().flatMap(format -> format.writerProperties().stream()))
            .toList();

    private FormatProperties() {}

    /** Returns all properties except statistics. */
    public static Map<String, String> withoutStatistics(Map<String, String> properties) {
        Map<String, String> rest = new HashMap<>(properties);
        rest.keySet().removeAll(STATISTICS);
        return rest;
    }

    /**
     * Which of two properties of the same name takes precedence: TBLPROPERTIES or SERDEPROPERTIES. Follows the way Hive
     * 4.0.1 reads files.
     */
    public enum Precedence {
        /** TBLPROPERTIES take precedence, for a table without partitions. */
        TABLE,
        /**
         * SERDEPROPERTIES take precedence, for partitions. A partition has its own format: the table's at the time when
         * the partition was created.
         */
        FORMAT;

        public static Precedence of(boolean partitioned) {
            return partitioned ? FORMAT : TABLE;
        }
    }

    /** Returns the format with the table's properties that apply to reading its files. */
    public static TableFormat reading(TableFormat format, Map<String, String> tableProperties, Precedence precedence) {
        return switch (FileFormats.of(format).layoutProperties(format)) {
            case NONE -> with(format, Map.of());
            case HIVE -> merged(format, layout(tableProperties), precedence);
            case ALL -> merged(format, tableProperties, precedence);
        };
    }

    /**
     * Returns the format with all of the table's properties, for writers. Hive writes partitions by TBLPROPERTIES and
     * reads them by SERDEPROPERTIES. Skep writes them as they will be read.
     */
    public static TableFormat writing(TableFormat format, Map<String, String> tableProperties, Precedence precedence) {
        return merged(format, tableProperties, precedence);
    }

    /**
     * Returns the table's properties that determine the bytes of its files or how they are read. Files written with
     * other values of these properties must not be committed.
     */
    public static Map<String, String> fileProperties(TableFormat format, Map<String, String> tableProperties) {
        if (FileFormats.of(format).layoutProperties(format) == LayoutProperties.ALL) {
            return withoutStatistics(tableProperties);
        }
        Map<String, String> chosen = layout(tableProperties);
        tableProperties.forEach((name, value) -> {
            if (WRITING.stream().anyMatch(name::startsWith)) {
                chosen.put(name, value);
            }
        });
        return chosen;
    }

    /** Returns the table's properties that apply to reading files of Hive's own formats. */
    public static Map<String, String> layout(Map<String, String> tableProperties) {
        Map<String, String> chosen = new HashMap<>();
        tableProperties.forEach((name, value) -> {
            if (LAYOUT.stream().anyMatch(name::startsWith)) {
                chosen.put(name, value);
            }
        });
        return chosen;
    }

    private static TableFormat merged(TableFormat format, Map<String, String> tableProperties, Precedence precedence) {
        Map<String, String> all = withoutStatistics(tableProperties);
        switch (precedence) {
            case TABLE -> format.properties().forEach(all::putIfAbsent);
            case FORMAT -> all.putAll(format.properties());
        }
        return with(format, all);
    }

    private static TableFormat with(TableFormat format, Map<String, String> properties) {
        return new TableFormat(format.inputFormat(), format.outputFormat(), format.serde(), properties);
    }
}
