package io.skep.storage.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of a table's properties say how its rows are laid out. Hive keeps those of the format, of the table and its
 * statistics in one map and gives all of them to SerDes; but what is read of files must not depend on what does not
 * matter to reading.
 */
public final class FormatProperties {
    /** What Hive, or Skep, writes into the properties by itself, with each write or change. */
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

    /** Properties of tables that Hive's own SerDes and input formats look for, or how these begin. */
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

    /** How names of a table's properties begin that only writers look for. */
    private static final List<String> WRITING = List.of("bucketing_version", "orc.", "parquet.", "transactional");

    private static final List<String> HIVES_SERDES =
            List.of("org.apache.hadoop.hive.serde2.", "org.apache.hive.hcatalog.data.JsonSerDe");

    private static final Set<String> HIVES_INPUT_FORMATS = Set.of(
            "org.apache.hadoop.mapred.TextInputFormat",
            "org.apache.hadoop.mapred.SequenceFileInputFormat",
            "org.apache.hadoop.hive.ql.io.RCFileInputFormat",
            "org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat");

    private FormatProperties() {}

    /** All properties but statistics. */
    public static Map<String, String> withoutStatistics(Map<String, String> properties) {
        Map<String, String> rest = new HashMap<>(properties);
        rest.keySet().removeAll(STATISTICS);
        return rest;
    }

    /** Which of two properties of one name counts: TBLPROPERTIES or SERDEPROPERTIES. As Hive 4.0.1 reads files. */
    public enum Precedence {
        /** Of a table without partitions. */
        TABLE,
        /** Of partitions, whose formats are their own: they were the table's when the partition was made. */
        FORMAT;

        public static Precedence of(boolean partitioned) {
            return partitioned ? FORMAT : TABLE;
        }
    }

    /** The format with those of the table's properties that its files are read by. */
    public static TableFormat reading(TableFormat format, Map<String, String> tableProperties, Precedence precedence) {
        return switch (FileKind.of(format)) {
            // These files say themselves how they are laid out; the properties are for writers.
            case ORC, PARQUET -> with(format, Map.of());
            case TEXT -> merged(format, layout(tableProperties), precedence);
            case SERDE -> merged(format, isHives(format) ? layout(tableProperties) : tableProperties, precedence);
        };
    }

    /**
     * The format with all of the table's properties, for writers. Hive writes partitions by TBLPROPERTIES and then
     * reads them by SERDEPROPERTIES; here they are written as they will be read.
     */
    public static TableFormat writing(TableFormat format, Map<String, String> tableProperties, Precedence precedence) {
        return merged(format, tableProperties, precedence);
    }

    private static boolean isHives(TableFormat format) {
        return HIVES_INPUT_FORMATS.contains(format.inputFormat())
                && HIVES_SERDES.stream().anyMatch(format.serde()::startsWith);
    }

    /**
     * Those of a table's properties on which the bytes of its files depend, or what they are read as: files that were
     * written by others are not to be committed.
     */
    public static Map<String, String> ofFiles(TableFormat format, Map<String, String> tableProperties) {
        if (FileKind.of(format) == FileKind.SERDE && !isHives(format)) {
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

    /** Those of a table's properties by which files are read of formats that Hive brings. */
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
