package io.skep.itests.fuzz;

import io.skep.common.type.TypeParser;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Tables whose files are fuzzed: one of each format, with columns of most types. */
enum Layouts {
    ORC("ql.io.orc.OrcInputFormat", "ql.io.orc.OrcOutputFormat", "ql.io.orc.OrcSerde"),
    PARQUET(
            "ql.io.parquet.MapredParquetInputFormat",
            "ql.io.parquet.MapredParquetOutputFormat",
            "ql.io.parquet.serde.ParquetHiveSerDe"),
    AVRO("ql.io.avro.AvroContainerInputFormat", "ql.io.avro.AvroContainerOutputFormat", "serde2.avro.AvroSerDe"),
    RCFILE("ql.io.RCFileInputFormat", "ql.io.RCFileOutputFormat", "serde2.columnar.LazyBinaryColumnarSerDe"),
    SEQUENCE_FILE(
            "org.apache.hadoop.mapred.SequenceFileInputFormat",
            "ql.io.HiveSequenceFileOutputFormat",
            "serde2.lazybinary.LazyBinarySerDe"),
    TEXT(
            "org.apache.hadoop.mapred.TextInputFormat",
            "ql.io.HiveIgnoreKeyTextOutputFormat",
            "serde2.lazy.LazySimpleSerDe"),
    JSON("org.apache.hadoop.mapred.TextInputFormat", "ql.io.HiveIgnoreKeyTextOutputFormat", "serde2.JsonSerDe"),
    CSV("org.apache.hadoop.mapred.TextInputFormat", "ql.io.HiveIgnoreKeyTextOutputFormat", "serde2.OpenCSVSerde");

    private static final List<Column> COLUMNS = columns(
            "i int",
            "s string",
            "b boolean",
            "d double",
            "n decimal(30,4)",
            "day date",
            "at timestamp",
            "l array<bigint>",
            "m map<string,int>",
            "p struct<x:int,y:string>");

    /** The number of columns in the CSV table, which has no nested types. */
    private static final int FLAT = 7;

    private final String input;
    private final String output;
    private final String serde;

    Layouts(String input, String output, String serde) {
        this.input = input;
        this.output = output;
        this.serde = serde;
    }

    TableLayout table() {
        TableFormat format = new TableFormat(named(input), named(output), named(serde), Map.of());
        List<Column> columns = this == CSV ? COLUMNS.subList(0, FLAT) : COLUMNS;
        return new TableLayout("default.t", format, columns, List.of(), Map.of("orc.compress", "NONE"));
    }

    private static String named(String name) {
        return name.startsWith("org.") ? name : "org.apache.hadoop.hive." + name;
    }

    private static List<Column> columns(String... columns) {
        return Arrays.stream(columns)
                .map(column -> column.split(" ", 2))
                .map(parts -> new Column(parts[0], TypeParser.parse(parts[1])))
                .toList();
    }
}
