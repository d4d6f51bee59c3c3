package io.skep.storage.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestTextFiles {
    private static final int LONGEST_LINE = 1 << 20;

    private static final List<Column> COLUMNS = List.of(
            column("a", "int"),
            column("b", "string"),
            column("c", "decimal(10,2)"),
            column("d", "array<int>"),
            column("e", "map<string,double>"),
            column("f", "date"),
            column("g", "timestamp"));

    @TempDir
    private Path folder;

    private final StorageFileSystem files = new HadoopFileSystem(new Configuration(false));

    private static Column column(String name, String type) {
        return new Column(name, TypeParser.parse(type));
    }

    private static TableFormat format(Map<String, String> properties) {
        return new TableFormat(
                "org.apache.hadoop.mapred.TextInputFormat",
                "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
                "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
                properties);
    }

    private List<List<Datum>> read(
            String name, byte[] content, Map<String, String> properties, List<Column> columns, long size)
            throws IOException {
        Path file = Files.write(folder.resolve(name), content);
        Split split = new Split(
                files.status(file.toUri().toString()).version(),
                0,
                content.length,
                format(properties),
                columns,
                List.of());
        List<Integer> all = IntStream.range(0, columns.size()).boxed().toList();
        List<List<Datum>> rows = new ArrayList<>();
        try (TextRowGroupReader reader =
                new TextRowGroupReader(files, split, ZoneOffset.UTC, new RecordLimit(LONGEST_LINE), size)) {
            for (RowGroup rowGroup : reader.rowGroups()) {
                try (BatchIterator batches = reader.read(rowGroup, all)) {
                    batches.forEachRemaining(batch -> rows.addAll(rows(batch, columns)));
                }
            }
        }
        return rows;
    }

    private static List<List<Datum>> rows(Batch batch, List<Column> columns) {
        List<List<Datum>> rows = new ArrayList<>();
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Datum> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                values.add(Datum.of(batch.column(i), row, columns.get(i).type()));
            }
            rows.add(values);
        }
        return rows;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** With row groups of any size, line ends of any kind, and lines that are skipped. */
    @Test
    void offsetsAreThoseOfTheLines() throws IOException {
        byte[] content = utf8("head\nab\n\r\nc\u00e9\r\nd\re\nfoot");
        List<Column> columns = List.of(column("s", "string"), TextFileFormat.OFFSETS);
        List<List<Datum>> all = List.of(
                row("head", 0),
                row("ab", 5),
                row("", 8),
                row("c\u00e9", 10),
                row("d", 15),
                row("e", 17),
                row("foot", 19));
        for (int size = 1; size <= content.length + 1; size++) {
            assertThat(read("offsets", content, Map.of(), columns, size)).isEqualTo(all);
        }
        Map<String, String> skipping = Map.of("skip.header.line.count", "1", "skip.footer.line.count", "2");
        assertThat(read("offsets", content, skipping, columns, 1 << 20)).isEqualTo(all.subList(1, 5));
        assertThat(read("offsets", content, Map.of(), List.of(TextFileFormat.OFFSETS), 1 << 20))
                .isEqualTo(all.stream().map(row -> row.subList(1, 2)).toList());
    }

    private static List<Datum> row(String text, long offset) {
        return List.of(Datum.ofText(text), new Datum.OfLong(offset));
    }

    @Test
    void aLineHasABound() throws IOException {
        List<Column> columns = List.of(column("s", "string"));
        String longest = "x".repeat(LONGEST_LINE);
        assertThat(read("longest", utf8(longest + "\nb\n"), Map.of(), columns, 1 << 20))
                .containsExactly(List.of(Datum.ofText(longest)), List.of(Datum.ofText("b")));
        assertThatThrownBy(() -> read("longer", utf8("a\n" + longest + "x\n"), Map.of(), columns, 1 << 20))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED))
                .hasMessageContaining("more than " + LONGEST_LINE + " bytes");
    }

    /** 256 MB of zeros, a line without a terminator, in at most 256 KB of compressed data. */
    @ParameterizedTest
    @ValueSource(strings = {"bomb.gz", "bomb.zst"})
    void aDecompressionBombIsAnError(String name) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream packing = packing(name, compressed)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 256; i++) {
                packing.write(zeros);
            }
        }
        assertThatThrownBy(
                        () -> read(name, compressed.toByteArray(), Map.of(), List.of(column("s", "string")), 1 << 20))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
    }

    private static OutputStream packing(String name, OutputStream out) throws IOException {
        return name.endsWith(".zst") ? new ZstdCompressorOutputStream(out) : new GZIPOutputStream(out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.gz", "t.zst"})
    void compressedFilesAreReadToTheirEnd(String name) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        for (String part : List.of("a\nb\n", "c\n")) {
            try (OutputStream packing = packing(name, compressed)) {
                packing.write(utf8(part));
            }
        }
        List<Column> columns = List.of(column("s", "string"));
        assertThat(read(name, compressed.toByteArray(), Map.of(), columns, 1 << 20))
                .containsExactly(List.of(Datum.ofText("a")), List.of(Datum.ofText("b")), List.of(Datum.ofText("c")));
        byte[] cut = Arrays.copyOf(compressed.toByteArray(), compressed.size() - 5);
        assertThatThrownBy(() -> read("cut" + name, cut, Map.of(), columns, 1 << 20))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
    }

    @Test
    void readsFieldsAsHiveDoes() throws IOException {
        String text = "1\u0001one\u00011.005\u00011\u00022\u0001k\u00031.5\u00012020-02-29\u00012020-01-01 00:00:00.5\n"
                + "x\u0001\\N\u0001\u0001\u0001\u0001nope\n\n99999999999";
        List<List<Datum>> rows = read("t", utf8(text), Map.of(), COLUMNS, 1 << 20);
        assertThat(rows).hasSize(4);
        assertThat(rows.get(0))
                .startsWith(new Datum.OfLong(1), Datum.ofText("one"), new Datum.OfLong(101))
                .contains(new Datum.OfList(List.of(new Datum.OfLong(1), new Datum.OfLong(2))))
                .contains(new Datum.OfMap(List.of(Datum.ofText("k")), List.of(new Datum.OfDouble(1.5))))
                .endsWith(new Datum.OfTimestamp(1577836800, 500_000_000));
        assertThat(rows.get(1)).startsWith(Datum.NULL, Datum.NULL, Datum.NULL).endsWith(Datum.NULL, Datum.NULL);
        assertThat(rows.get(2)).containsOnly(Datum.NULL);
        assertThat(rows.get(3).getFirst()).isEqualTo(Datum.NULL);
    }

    /** Hive's lazy union needs a tag, and fails without. */
    @Test
    void aUnionWithoutTagIsAnError() {
        List<Column> columns = List.of(column("a", "int"), column("u", "uniontype<int,string>"));
        assertThatThrownBy(() -> read("t", utf8("1\u00010\u00027\n2\u0001\n"), Map.of(), columns, 1 << 20))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
    }

    /** Tests that each line is read once, wherever the boundaries fall. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 7, 64, 1 << 20})
    void readsEachLineOnce(long rowGroupBytes) throws IOException {
        StringBuilder text = new StringBuilder();
        List<List<Datum>> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String value = "v".repeat(i % 11) + i;
            text.append(value).append(i % 3 == 0 ? "\r\n" : i % 3 == 1 ? "\n" : "\r");
            expected.add(List.of(Datum.ofText(value)));
        }
        List<Column> columns = List.of(column("s", "string"));
        assertThat(read("t", utf8(text.toString()), Map.of(), columns, rowGroupBytes))
                .isEqualTo(expected);
    }

    @Test
    void skipsHeaderAndFooterOfCompressedFiles() throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(utf8("head\n1,a\\,b\n2,c\nfoot\n"));
        }
        Map<String, String> properties = Map.of(
                "field.delim", ",", "escape.delim", "\\", "skip.header.line.count", "1", "skip.footer.line.count", "1");
        List<Column> columns = List.of(column("i", "int"), column("s", "string"));
        assertThat(read("t.gz", compressed.toByteArray(), properties, columns, 1 << 20))
                .containsExactly(
                        List.of(new Datum.OfLong(1), Datum.ofText("a,b")),
                        List.of(new Datum.OfLong(2), Datum.ofText("c")));
    }

    @Test
    void readsWhatItWrites() throws IOException {
        String text =
                "1\u0001ön\\e\u00011.05\u00011\u0002\\N\u0001k\u00031.5\u00012020-02-29\u00012020-01-01 00:00:00.5\n"
                        + "\\N\u0001\\N\u0001\\N\u0001\\N\u0001\\N\u0001\\N\u0001\\N\n";
        List<List<Datum>> rows = read("in", utf8(text), Map.of(), COLUMNS, 1 << 20);
        String path = folder.resolve("out").toUri().toString();
        TableLayout table = new TableLayout("d.t", format(Map.of()), COLUMNS, List.of(), Map.of());
        TextPageSink sink = new TextPageSink(files, table, path, ZoneOffset.UTC, Optional.empty());
        sink.append(batch(rows));
        assertThat(sink.finish().rowCount()).isEqualTo(2);
        assertThat(Files.readString(folder.resolve("out"))).isEqualTo(text);
    }

    private static Batch batch(List<List<Datum>> rows) {
        List<Vector> vectors = new ArrayList<>();
        for (int i = 0; i < COLUMNS.size(); i++) {
            SqlType type = COLUMNS.get(i).type();
            var appender = VectorAppender.of(type);
            int column = i;
            rows.forEach(row -> row.get(column).appendTo(appender, type));
            vectors.add(appender.build());
        }
        return new Batch(vectors, rows.size());
    }
}
