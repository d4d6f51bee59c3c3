package io.skep.storage.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.fixture.RandomRows;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.hive.common.type.CalendarUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TestSerdeFormats {
    private static final String SERDE = "org.apache.hadoop.hive.serde2.";
    private static final String IO = "org.apache.hadoop.hive.ql.io.";

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    @ParameterizedTest
    @CsvSource({
        "lazybinary.LazyBinarySerDe, org.apache.hadoop.mapred.SequenceFileInputFormat, HiveSequenceFileOutputFormat",
        "columnar.LazyBinaryColumnarSerDe, org.apache.hadoop.hive.ql.io.RCFileInputFormat, RCFileOutputFormat",
        "JsonSerDe, org.apache.hadoop.mapred.TextInputFormat, HiveIgnoreKeyTextOutputFormat",
        "avro.AvroSerDe, org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat, avro.AvroContainerOutputFormat"
    })
    void rowsComeBack(String serde, String input, String output) {
        TableFormat format = new TableFormat(input, IO + output, SERDE + serde, Map.of());
        TableLayout table = FormatTables.table(
                format,
                Map.of(),
                "a int",
                "b string",
                "c double",
                "d array<bigint>",
                "e boolean",
                "f map<string,int>",
                "g struct<x:int,y:string>",
                "h decimal(20,3)",
                "i date");
        List<List<Datum>> rows = new RandomRows(3).rows(FormatTables.types(table), 5000);
        tables.write(table, folder + "/f", rows);
        List<List<Datum>> read = tables.read(table, folder.toString());
        assertThat(read).hasSize(rows.size());
        for (int column : new int[] {0, 1, 2, 3, 4, 5, 7, 8}) {
            assertThat(read)
                    .extracting(row -> unordered(row.get(column)))
                    .isEqualTo(
                            rows.stream().map(row -> unordered(row.get(column))).toList());
        }
        assertThat(tables.read(table, tables.splits(table, folder.toString(), List.of()), List.of(1), List.of()))
                .extracting(List::getFirst)
                .isEqualTo(rows.stream().map(row -> row.get(1)).toList());
    }

    /** Avro keeps no order in maps. */
    private static Object unordered(Datum value) {
        if (!(value instanceof Datum.OfMap map)) {
            return value;
        }
        Map<Datum, Datum> entries = new HashMap<>();
        for (int i = 0; i < map.keys().size(); i++) {
            entries.put(map.keys().get(i), map.values().get(i));
        }
        return entries;
    }

    @Test
    void csvIsReadWithHeaderFooterAndTypes() throws IOException {
        TableLayout table = FormatTables.table(
                FormatTables.text(
                        SERDE + "OpenCSVSerde", Map.of("skip.header.line.count", "1", "skip.footer.line.count", "1")),
                Map.of(),
                "a int",
                "b string");
        Files.writeString(folder.resolve("f.csv"), "a,b\n1,\"x, y\"\n2,\"say \"\"hi\"\"\"\nend,1\n");
        assertThat(tables.read(table, folder.toString()))
                .containsExactly(
                        List.of(new Datum.OfLong(1), Datum.ofText("x, y")),
                        List.of(new Datum.OfLong(2), Datum.ofText("say \"hi\"")));
    }

    /** Files of Hive have a note about the calendar of their dates, others have not. */
    @Test
    void aSettingNamesTheCalendarOfAvroDatesWithoutANote() throws IOException {
        int day = -200_000;
        Schema schema = SchemaBuilder.record("r")
                .fields()
                .name("d")
                .type(LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT)))
                .noDefault()
                .endRecord();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.create(schema, folder.resolve("f").toFile());
            GenericRecord row = new GenericData.Record(schema);
            row.put("d", day);
            writer.append(row);
        }
        assertThat(tables.read(avro(Map.of()), folder.toString()))
                .containsExactly(List.of(new Datum.OfLong(CalendarUtils.convertDateToProleptic(day))));
        assertThat(tables.read(avro(Map.of("hive.avro.proleptic.gregorian.default", "true")), folder.toString()))
                .containsExactly(List.of(new Datum.OfLong(day)));
        assertThat(CalendarUtils.convertDateToProleptic(day)).isNotEqualTo(day);
    }

    private static TableLayout avro(Map<String, String> properties) {
        TableFormat format = new TableFormat(
                IO + "avro.AvroContainerInputFormat",
                IO + "avro.AvroContainerOutputFormat",
                SERDE + "avro.AvroSerDe",
                properties);
        return FormatTables.table(format, Map.of(), "d date");
    }

    @Test
    void regexAndJsonLines() throws IOException {
        TableLayout regex = FormatTables.table(
                FormatTables.text(SERDE + "RegexSerDe", Map.of("input.regex", "(\\d+) (.*)")),
                Map.of(),
                "n int",
                "rest string");
        Files.writeString(folder.resolve("f"), "12 twelve\nno match\n");
        assertThat(tables.read(regex, folder.toString()))
                .containsExactly(
                        List.of(new Datum.OfLong(12), Datum.ofText("twelve")), List.of(Datum.NULL, Datum.NULL));
        TableLayout json = FormatTables.table(
                FormatTables.text("org.apache.hive.hcatalog.data.JsonSerDe", Map.of()),
                Map.of(),
                "a int",
                "b array<string>");
        Files.writeString(folder.resolve("f"), "{\"b\":[\"x\",null],\"A\":5}\n{}\n");
        assertThat(tables.read(json, folder.toString()))
                .containsExactly(
                        List.of(new Datum.OfLong(5), new Datum.OfList(List.of(Datum.ofText("x"), Datum.NULL))),
                        List.of(Datum.NULL, Datum.NULL));
        Files.writeString(folder.resolve("f"), "{\"a\": nonsense\n");
        assertThat(catchThrowableOfType(SkepException.class, () -> tables.read(json, folder.toString()))
                        .code())
                .isEqualTo(StandardErrorCode.CORRUPT_FILE);
    }

    /**
     * A file that was loaded into a table with other columns. Hive's objects read into the next value or past the end.
     */
    @ParameterizedTest
    @ValueSource(strings = {"float", "double", "smallint", "bigint", "date", "timestamp", "decimal(20,3)"})
    void columnarBinaryValuesHaveTheBytesOfTheirType(String type) {
        TableFormat format = new TableFormat(
                IO + "RCFileInputFormat",
                IO + "RCFileOutputFormat",
                SERDE + "columnar.LazyBinaryColumnarSerDe",
                Map.of());
        TableLayout written = FormatTables.table(format, Map.of(), "a string", "b " + type);
        List<List<Datum>> rows = List.of(List.of(Datum.ofText("seventeen letters"), Datum.NULL));
        tables.write(written, folder + "/f", rows);
        assertThat(tables.read(written, folder.toString())).isEqualTo(rows);
        TableLayout other = FormatTables.table(format, Map.of(), "a " + type, "b " + type);
        SkepException failure = catchThrowableOfType(SkepException.class, () -> tables.read(other, folder.toString()));
        assertThat(failure.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE);
    }

    @Test
    void unknownClassesAreNamed() throws IOException {
        TableLayout table = FormatTables.table(FormatTables.text("com.example.NoSerDe", Map.of()), Map.of(), "a int");
        Files.writeString(folder.resolve("f"), "1\n");
        SkepException failure = catchThrowableOfType(SkepException.class, () -> tables.read(table, folder.toString()));
        assertThat(failure.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
    }

    @Test
    void partitionsOfOtherTypesAreConverted() throws IOException {
        TableFormat format = FormatTables.text(SERDE + "lazy.LazySimpleSerDe", Map.of("field.delim", ","));
        TableLayout made = FormatTables.table(format, Map.of(), "a int", "b string");
        TableLayout now = new TableLayout(
                "default.t",
                format,
                FormatTables.table(format, Map.of(), "a string", "b string", "c int")
                        .dataColumns(),
                List.of(new Column("p", io.skep.common.type.PrimitiveType.DATE)),
                Map.of());
        Files.writeString(folder.resolve("f"), "007,x\nz,y\n");
        List<Split> splits = tables.splits(made, folder.toString(), List.of(Optional.of("2024-02-29")));
        Datum day = new Datum.OfLong(java.time.LocalDate.of(2024, 2, 29).toEpochDay());
        assertThat(tables.read(now, splits, List.of(3, 0, 2, 1), List.of()))
                .containsExactly(
                        List.of(day, Datum.ofText("7"), Datum.NULL, Datum.ofText("x")),
                        List.of(day, Datum.NULL, Datum.NULL, Datum.ofText("y")));
        List<Split> none = tables.splits(made, folder.toString(), List.of(Optional.empty()));
        assertThat(tables.read(now, none, List.of(3), List.of()))
                .containsExactly(List.of(Datum.NULL), List.of(Datum.NULL));
        assertThat(tables.read(now, none, List.of(4, 5), List.of()).getFirst())
                .containsExactly(Datum.ofText("file:" + folder.resolve("f")), new Datum.OfLong(0));
    }
}
