package io.skep.storage.serde.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hive.ql.io.RCFileRecordReader;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.hive.serde2.columnar.BytesRefArrayWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TestRcFileConcatenation {
    private static final ContainerFiles.Container PLAIN = ContainerFiles.rcFile(null);

    /** Bytes of a header that names no codec. */
    private static final int HEADER = 56;

    @TempDir
    private Path folder;

    private final FormatTables tables = new FormatTables();
    private final RcFileConcatenation concatenation = new RcFileConcatenation(tables.files);

    static List<ContainerFiles.Container> containers() {
        return List.of(PLAIN, ContainerFiles.rcFile(DefaultCodec.class), ContainerFiles.rcFile(SnappyCodec.class));
    }

    private String write(ContainerFiles.Container container, String name, int rows) throws IOException {
        Files.createDirectories(folder.resolve("parts"));
        Path file = folder.resolve("parts").resolve(name);
        container.writing().write(file, texts(name, rows));
        return file.toUri().toString();
    }

    private static List<String> texts(String name, int rows) {
        return IntStream.range(0, rows)
                .mapToObj(i -> name + " ".repeat(i % 50) + i)
                .toList();
    }

    private String target() throws IOException {
        return Files.createDirectories(folder.resolve("whole"))
                .resolve("f")
                .toUri()
                .toString();
    }

    @ParameterizedTest
    @MethodSource("containers")
    void theRowsAreThoseOfTheFilesInTheirOrder(ContainerFiles.Container container) throws IOException {
        List<String> parts = List.of(write(container, "b", 700), write(container, "a", 1), write(container, "c", 900));
        assertThat(concatenation.isPossible(parts)).isTrue();
        concatenation.write(parts, target());
        List<Datum> expected = new ArrayList<>();
        texts("b", 700).forEach(text -> expected.add(Datum.ofText(text)));
        texts("a", 1).forEach(text -> expected.add(Datum.ofText(text)));
        texts("c", 900).forEach(text -> expected.add(Datum.ofText(text)));
        List<List<Datum>> rows =
                tables.read(container.table(), folder.resolve("whole").toString());
        assertThat(rows.stream().map(row -> row.get(1))).isEqualTo(expected);
    }

    /** Hive reads parts of a file between marks. Each row group belongs to one part. */
    @Test
    void hiveReadsItInParts() throws IOException {
        concatenation.write(List.of(write(PLAIN, "a", 800), write(PLAIN, "b", 900)), target());
        Path whole = folder.resolve("whole/f");
        JobConf job = new JobConf(tables.files.configuration());
        ColumnProjectionUtils.setReadAllColumns(job);
        long size = Files.size(whole);
        long part = size / 7;
        int parts = 0;
        List<Integer> rows = new ArrayList<>();
        for (long from = 0; from < size; from += part) {
            FileSplit split = new FileSplit(
                    new org.apache.hadoop.fs.Path(whole.toUri()), from, Math.min(part, size - from), new String[0]);
            RCFileRecordReader<LongWritable, BytesRefArrayWritable> reader = new RCFileRecordReader<>(job, split);
            BytesRefArrayWritable row = reader.createValue();
            int before = rows.size();
            while (reader.next(reader.createKey(), row)) {
                rows.add(Integer.parseInt(new String(row.get(0).getBytesCopy(), StandardCharsets.US_ASCII)));
            }
            reader.close();
            parts += rows.size() > before ? 1 : 0;
        }
        assertThat(rows).hasSize(1700);
        assertThat(rows.subList(800, 1700))
                .isEqualTo(IntStream.range(0, 900).boxed().toList());
        assertThat(parts).isGreaterThan(4);
    }

    @Test
    void theFileIsAsLongAsThatOfHive() throws IOException {
        List<String> parts = List.of(write(PLAIN, "a", 3), write(PLAIN, "b", 2));
        concatenation.write(parts, target());
        long groups = 0;
        for (String part : parts) {
            groups += Files.size(Path.of(URI.create(part))) - HEADER;
        }
        assertThat(Files.size(folder.resolve("whole/f"))).isEqualTo(HEADER + groups);
    }

    @Test
    void filesThatAreCompressedInDifferentWaysStay() throws IOException {
        String plain = write(PLAIN, "a", 3);
        String deflated = write(ContainerFiles.rcFile(DefaultCodec.class), "b", 3);
        String snappy = write(ContainerFiles.rcFile(SnappyCodec.class), "c", 3);
        assertThat(concatenation.isPossible(List.of(plain, deflated))).isFalse();
        assertThat(concatenation.isPossible(List.of(snappy, deflated))).isFalse();
        assertThat(concatenation.isPossible(List.of(snappy, snappy))).isTrue();
    }

    @Test
    void filesWithoutAByteHaveNoRowGroups() throws IOException {
        Files.createDirectories(folder.resolve("parts"));
        String empty = Files.createFile(folder.resolve("parts/empty")).toUri().toString();
        assertThat(concatenation.isPossible(List.of(empty, empty))).isFalse();
        List<String> parts = List.of(empty, write(PLAIN, "a", 3));
        assertThat(concatenation.isPossible(parts)).isTrue();
        concatenation.write(parts, target());
        assertThat(tables.read(PLAIN.table(), folder.resolve("whole").toString()))
                .hasSize(3);
    }

    @Test
    void otherFilesAreAnError() throws IOException {
        Files.createDirectories(folder.resolve("parts"));
        String text = Files.writeString(folder.resolve("parts/text"), "some lines of text\n")
                .toUri()
                .toString();
        assertThatThrownBy(() -> concatenation.isPossible(List.of(text)))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
    }

    /** A file that ends too early, or claims more than it has, gives no file that seems whole. */
    @Test
    void damagedFilesAreAnError() throws IOException {
        Path file = Path.of(URI.create(write(PLAIN, "a", 20)));
        byte[] whole = Files.readAllBytes(file);
        List<String> parts = List.of(file.toUri().toString());
        Files.write(file, Arrays.copyOf(whole, whole.length - 3));
        assertRefused(parts);
        byte[] claim = {0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xF0};
        for (int at = HEADER; at < HEADER + 3 * Integer.BYTES; at += claim.length) {
            byte[] damaged = whole.clone();
            System.arraycopy(claim, 0, damaged, at, claim.length);
            Files.write(file, damaged);
            assertRefused(parts);
        }
    }

    private void assertRefused(List<String> parts) throws IOException {
        String target = target();
        assertThatThrownBy(() -> concatenation.write(parts, target))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
        Files.deleteIfExists(folder.resolve("whole/f"));
    }
}
