package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.session.SessionSettings;
import io.skep.storage.table.TableFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Maps STORED AS and ROW FORMAT to Hive's classes, by the names that the metastore stores. */
public final class Formats {
    private static final String HIVE_IO = "org.apache.hadoop.hive.ql.io.";
    private static final String TEXT_INPUT = "org.apache.hadoop.mapred.TextInputFormat";
    private static final String TEXT_OUTPUT = HIVE_IO + "HiveIgnoreKeyTextOutputFormat";
    public static final String LAZY_SIMPLE_SERDE = "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe";

    /** Input format, output format, and the format's own SerDe, if it has one. */
    public record Files(String input, String output, Optional<String> serde) {
        private static Files of(String input, String output, String serde) {
            return new Files(input, output, Optional.of(serde));
        }
    }

    private static final Map<String, Files> BY_NAME = Map.ofEntries(
            Map.entry("textfile", new Files(TEXT_INPUT, TEXT_OUTPUT, Optional.empty())),
            Map.entry(
                    "sequencefile",
                    new Files(
                            "org.apache.hadoop.mapred.SequenceFileInputFormat",
                            HIVE_IO + "HiveSequenceFileOutputFormat",
                            Optional.empty())),
            Map.entry(
                    "rcfile",
                    Files.of(
                            HIVE_IO + "RCFileInputFormat",
                            HIVE_IO + "RCFileOutputFormat",
                            "org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe")),
            Map.entry(
                    "orc",
                    Files.of(
                            HIVE_IO + "orc.OrcInputFormat", HIVE_IO + "orc.OrcOutputFormat", HIVE_IO + "orc.OrcSerde")),
            Map.entry(
                    "parquet",
                    Files.of(
                            HIVE_IO + "parquet.MapredParquetInputFormat",
                            HIVE_IO + "parquet.MapredParquetOutputFormat",
                            HIVE_IO + "parquet.serde.ParquetHiveSerDe")),
            Map.entry(
                    "avro",
                    Files.of(
                            HIVE_IO + "avro.AvroContainerInputFormat",
                            HIVE_IO + "avro.AvroContainerOutputFormat",
                            "org.apache.hadoop.hive.serde2.avro.AvroSerDe")),
            Map.entry("jsonfile", Files.of(TEXT_INPUT, TEXT_OUTPUT, "org.apache.hadoop.hive.serde2.JsonSerDe")));

    private Formats() {}

    /** @throws SkepException SEMANTIC_ERROR for a name that is not a format */
    public static Files named(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        Files files = BY_NAME.get(
                switch (key) {
                    case "orcfile" -> "orc";
                    case "parquetfile" -> "parquet";
                    case "avrofile" -> "avro";
                    case "json" -> "jsonfile";
                    case "text" -> "textfile";
                    default -> key;
                });
        if (files == null) {
            throw new SkepException(
                            StandardErrorCode.SEMANTIC_ERROR,
                            "Unrecognized file format in STORED AS clause: '" + name + "'")
                    .withHint("formats are "
                            + String.join(
                                    ", ", BY_NAME.keySet().stream().sorted().toList()));
        }
        return files;
    }

    /** As above, with the SerDe that the session's settings define for RC files. */
    public static Files named(String name, SessionSettings settings) {
        Files files = named(name);
        return name.equalsIgnoreCase("rcfile")
                ? new Files(
                        files.input(),
                        files.output(),
                        settings.get("hive.default.rcfile.serde").or(files::serde))
                : files;
    }

    static TableFormat format(Files files, Optional<String> serde, Map<String, String> properties) {
        String name = serde.or(files::serde).orElse(LAZY_SIMPLE_SERDE);
        return new TableFormat(files.input(), files.output(), name, properties);
    }
}
