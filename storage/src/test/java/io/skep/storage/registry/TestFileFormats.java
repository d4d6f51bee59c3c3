package io.skep.storage.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.fixture.RandomRows;
import io.skep.storage.format.FileFormat;
import io.skep.storage.format.LayoutProperties;
import io.skep.storage.format.Splitting;
import io.skep.storage.format.StoredAs;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the list: which format a table has, and what every format in it must fulfil. */
final class TestFileFormats {
    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    @ParameterizedTest
    @CsvSource({
        // input format, SerDe: format, splitting, layout properties, columns alone
        "hive.ql.io.orc.OrcInputFormat, hive.ql.io.orc.OrcSerde, orc, ALWAYS, NONE, true",
        "mapred.TextInputFormat, hive.ql.io.orc.OrcSerde, orc, ALWAYS, NONE, true",
        "hive.ql.io.orc.OrcInputFormat, hive.serde2.lazy.LazySimpleSerDe, orc, ALWAYS, NONE, true",
        "hive.ql.io.parquet.MapredParquetInputFormat, hive.serde2.JsonSerDe, parquet, ALWAYS, NONE, true",
        "mapred.SequenceFileInputFormat, hive.ql.io.parquet.serde.ParquetHiveSerDe, parquet, ALWAYS, NONE, true",
        "mapred.TextInputFormat, hive.serde2.lazy.LazySimpleSerDe, textfile, UNLESS_COMPRESSED, HIVE, true",
        "mapred.TextInputFormat, hive.serde2.JsonSerDe, jsonfile, UNLESS_COMPRESSED, HIVE, true",
        "mapred.TextInputFormat, hive.serde2.RegexSerDe, jsonfile, UNLESS_COMPRESSED, HIVE, false",
        "mapred.TextInputFormat, hive.contrib.serde2.RegexSerDe, jsonfile, UNLESS_COMPRESSED, ALL, false",
        "mapred.SequenceFileInputFormat, hive.serde2.lazy.LazySimpleSerDe, sequencefile, NEVER, HIVE, true",
        "mapred.SequenceFileInputFormat, hive.contrib.OwnSerDe, sequencefile, NEVER, ALL, false",
        "hive.ql.io.RCFileInputFormat, hive.serde2.columnar.ColumnarSerDe, rcfile, NEVER, HIVE, true",
        "hive.ql.io.avro.AvroContainerInputFormat, hive.serde2.avro.AvroSerDe, avro, NEVER, HIVE, false",
        "hive.ql.io.SymlinkTextInputFormat, hive.ql.io.parquet.serde.ParquetHiveSerDe, none, NEVER, ALL, false",
        "mapred.KeyValueTextInputFormat, hive.serde2.lazy.LazySimpleSerDe, none, NEVER, ALL, true"
    })
    void formatIsFoundByClasses(
            String input, String serde, String name, Splitting splitting, LayoutProperties properties, boolean alone) {
        TableFormat table = new TableFormat("org.apache.hadoop." + input, "", "org.apache.hadoop." + serde, Map.of());
        FileFormat format = FileFormats.of(table);
        assertThat(format.storedAs().map(StoredAs::name).orElse("none")).isEqualTo(name);
        assertThat(format.splitting()).isEqualTo(splitting);
        assertThat(format.layoutProperties(table)).isEqualTo(properties);
        assertThat(format.decodesColumnsAlone(table)).isEqualTo(alone);
        assertThat(format.selfDescribing()).isEqualTo(properties == LayoutProperties.NONE);
    }

    /** The files of such tables hold rows of several versions, among which the input format chooses. */
    @ParameterizedTest
    @CsvSource({
        "org.apache.hudi.hadoop.HoodieParquetInputFormat, hive.ql.io.parquet.serde.ParquetHiveSerDe",
        "org.apache.hudi.hadoop.HoodieOrcInputFormat, hive.ql.io.orc.OrcSerde",
        "org.example.OrcInputFormat, hive.ql.io.orc.OrcSerde",
        "io.delta.hive.DeltaInputFormat, hive.ql.io.parquet.serde.ParquetHiveSerDe"
    })
    void filesOfOtherInputFormatsAreNotReadAsTheSerdeSays(String input, String serde) {
        FileFormat format = FileFormats.of(new TableFormat(input, "", "org.apache.hadoop." + serde, Map.of()));
        assertThat(format.storedAs()).isEmpty();
    }

    @Test
    void lastColumnThatTakesTheRestDependsOnTheOthers() {
        Map<String, String> rest = Map.of("serialization.last.column.takes.rest", "TRUE");
        for (String name : List.of("textfile", "sequencefile", "jsonfile")) {
            TableFormat table = FormatTables.format(name, rest);
            assertThat(FileFormats.of(table).decodesColumnsAlone(table))
                    .as(name)
                    .isFalse();
        }
        TableFormat orc = FormatTables.format("orc", rest);
        assertThat(FileFormats.of(orc).decodesColumnsAlone(orc)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "orcfile, orc",
        "parquetfile, parquet",
        "avrofile, avro",
        "json, jsonfile",
        "text, textfile",
        "rcfile, rcfile"
    })
    void aliasesNameTheSameFormat(String alias, String name) {
        assertThat(FileFormats.named(alias).map(StoredAs::name)).contains(name);
    }

    @Test
    void namesAreThoseOfHive() {
        assertThat(FileFormats.names())
                .containsExactly("avro", "jsonfile", "orc", "parquet", "rcfile", "sequencefile", "textfile");
        assertThat(FileFormats.named("kudu")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat, orc",
        "org.apache.hadoop.hive.ql.io.orc.VectorizedOrcInputFormat, orc",
        "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat, parquet",
        "parquet.hive.DeprecatedParquetInputFormat, parquet",
        "org.apache.hadoop.mapred.SequenceFileInputFormat, sequencefile",
        "org.apache.hadoop.mapreduce.lib.input.SEQUENCEFILEINPUTFORMAT, sequencefile",
        "org.apache.hadoop.hive.ql.io.RCFileInputFormat, none",
        "org.apache.hadoop.mapred.TextInputFormat, none"
    })
    void loadChecksTheFilesOfSomeInputFormats(String inputFormat, String name) {
        assertThat(FileFormats.ALL)
                .filteredOn(format -> format.checkedOnLoad(inputFormat))
                .map(format -> format.storedAs().map(StoredAs::name).orElse(""))
                .isEqualTo(name.equals("none") ? List.of() : List.of(name));
    }

    static List<String> names() {
        return FileFormats.names();
    }

    /** Covers a new format without a change here. */
    @ParameterizedTest
    @MethodSource("names")
    void namedFormatFindsItselfAndItsRows(String name) throws IOException {
        TableFormat classes = FormatTables.format(name, Map.of());
        FileFormat format = FileFormats.of(classes);
        assertThat(format.storedAs().map(StoredAs::name)).contains(name);
        assertThat(format.checkedOnLoad(classes.inputFormat()))
                .isEqualTo(format.magic().isPresent());

        TableLayout table = FormatTables.table(classes, Map.of(), "a int", "b double", "c decimal(20,3)", "d date");
        List<List<Datum>> rows = new RandomRows(11).rows(FormatTables.types(table), 3000);
        Path file = folder.resolve("f");
        tables.write(table, file.toString(), rows);
        assertThat(tables.read(table, folder.toString())).isEqualTo(rows);
        String head = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(head).startsWith(format.magic().orElse(""));

        List<Split> splits = tables.splitBytes(Files.size(file) / 2).splits(table, folder.toString(), List.of());
        assertThat(splits.size() > 1).isEqualTo(format.splitting() != Splitting.NEVER);
        assertThat(tables.read(table, splits, List.of(0, 1, 2, 3), List.of())).isEqualTo(rows);
    }

    @Test
    void columnsThatAreMissingInTheFileAreNull() {
        for (String name : FileFormats.names()) {
            Path place = folder.resolve(name);
            TableLayout written = FormatTables.table(FormatTables.format(name, Map.of()), Map.of(), "a int");
            List<Datum> row = List.of(new Datum.OfLong(7));
            tables.write(written, place + "/f", List.of(row));
            TableLayout wider = FormatTables.table(written.format(), Map.of(), "a int", "b int");
            assertThat(tables.read(wider, place.toString()))
                    .as(name)
                    .containsExactly(List.of(row.getFirst(), Datum.NULL));
        }
    }

    @Test
    void lastFormatMatchesEveryTable() {
        TableFormat nothing = new TableFormat("", "", "", Map.of());
        assertThat(FileFormats.ALL.getLast().matches(nothing)).isTrue();
        assertThat(FileFormats.of(nothing).storedAs()).isEqualTo(Optional.empty());
    }
}
