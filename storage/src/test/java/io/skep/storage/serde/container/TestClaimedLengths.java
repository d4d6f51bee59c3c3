package io.skep.storage.serde.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.fixture.RandomRows;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests files in which each place in turn claims too large a length. They must be read or rejected with memory in
 * proportion to their actual bytes.
 */
final class TestClaimedLengths {
    private static final long MAX_BYTES = 16 << 20;

    /** Large numbers, big-endian and in Hadoop's variable length. */
    private static final List<byte[]> CLAIMS = List.of(
            new byte[] {0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xF0},
            new byte[] {(byte) 0x8C, 0x6F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF});

    private static final List<byte[]> CLAIMS_OF_AVRO =
            List.of(new byte[] {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0E});

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder;

    private final FormatTables tables = new FormatTables();

    static List<ContainerFiles.Container> containers() {
        return ContainerFiles.all();
    }

    private static List<String> texts(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "text ".repeat(i % 5) + i)
                .toList();
    }

    private static List<List<Datum>> rows(List<String> texts) {
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            rows.add(List.of(new Datum.OfLong(i), Datum.ofText(texts.get(i))));
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("containers")
    void whatLibrariesWriteIsRead(ContainerFiles.Container container) throws IOException {
        TableLayout table = container.table();
        List<String> texts = texts(5000);
        container.writing().write(folder.resolve("f"), texts);
        assertThat(tables.read(table, folder.toString())).isEqualTo(rows(texts));
        assertThat(tables.read(table, tables.splits(table, folder.toString(), List.of()), List.of(1), List.of()))
                .isEqualTo(rows(texts).stream().map(row -> row.subList(1, 2)).toList());
        assertThat(tables.read(table, tables.splits(table, folder.toString(), List.of()), List.of(), List.of()))
                .hasSize(texts.size());
    }

    static List<ContainerFiles.Container> claiming() {
        return List.of(
                ContainerFiles.sequence(SequenceFile.CompressionType.NONE, DefaultCodec.class),
                ContainerFiles.sequence(SequenceFile.CompressionType.RECORD, DefaultCodec.class),
                ContainerFiles.sequence(SequenceFile.CompressionType.BLOCK, SnappyCodec.class),
                ContainerFiles.rcFile(null),
                ContainerFiles.rcFile(DefaultCodec.class),
                ContainerFiles.avro("null"),
                ContainerFiles.avro("snappy"));
    }

    @ParameterizedTest
    @MethodSource("claiming")
    void aClaimTakesNoMemory(ContainerFiles.Container container) throws IOException {
        TableLayout table = container.table();
        Path file = folder.resolve("f");
        container.writing().write(file, texts(6));
        claimEverywhere(table, file);
    }

    /** Nested values. The objects of Hive's binary SerDes allocate the lengths that these claim. */
    @ParameterizedTest
    @CsvSource({
        "mapred.SequenceFileInputFormat, HiveSequenceFileOutputFormat, lazybinary.LazyBinarySerDe",
        "hive.ql.io.RCFileInputFormat, RCFileOutputFormat, columnar.LazyBinaryColumnarSerDe"
    })
    void aClaimInAValueTakesNoMemory(String input, String output, String serde) throws IOException {
        TableFormat format = new TableFormat(
                "org.apache.hadoop." + input,
                "org.apache.hadoop.hive.ql.io." + output,
                "org.apache.hadoop.hive.serde2." + serde,
                Map.of());
        TableLayout table = FormatTables.table(
                format,
                Map.of(),
                "a string",
                "b array<bigint>",
                "c map<string,int>",
                "d struct<x:int,y:array<string>>",
                "e decimal(20,3)",
                "f timestamp",
                "g uniontype<int,string>");
        tables.write(table, folder + "/f", new RandomRows(5).rows(FormatTables.types(table), 3));
        claimEverywhere(table, folder.resolve("f"));
    }

    private void claimEverywhere(TableLayout table, Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        tables.read(table, folder.toString());
        for (byte[] claim : table.format().serde().endsWith("AvroSerDe") ? CLAIMS_OF_AVRO : CLAIMS) {
            for (int at = 0; at + claim.length <= whole.length; at++) {
                byte[] damaged = whole.clone();
                System.arraycopy(claim, 0, damaged, at, claim.length);
                Files.write(file, damaged);
                assertThat(allocated(table)).as("claim at %s", at).isLessThan(MAX_BYTES);
            }
        }
    }

    /** Returns the bytes allocated while the file is read, whether or not reading succeeds. */
    private long allocated(TableLayout table) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            tables.read(table, folder.toString());
        } catch (SkepException e) {
            assertThat(e.code())
                    .isIn(
                            StandardErrorCode.CORRUPT_FILE,
                            StandardErrorCode.NOT_SUPPORTED,
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @MethodSource("containers")
    void aFileThatEndsTooEarlyIsAnError(ContainerFiles.Container container) throws IOException {
        TableLayout table = container.table();
        Path file = folder.resolve("f");
        container.writing().write(file, texts(50));
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 3));
        assertThatThrownBy(() -> tables.read(table, folder.toString()))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
    }

    /** Hadoop pools its decompressors. Its Snappy decompressor stays broken after a failure. */
    @Test
    void aDamagedFileLeavesOthersReadable() throws IOException {
        ContainerFiles.Container container = ContainerFiles.rcFile(SnappyCodec.class);
        Path file = folder.resolve("f");
        container.writing().write(file, List.of("x".repeat(200_000)));
        byte[] whole = Files.readAllBytes(file);
        byte[] damaged = whole.clone();
        Arrays.fill(damaged, whole.length - 5_000, whole.length, (byte) 0xFF);
        Files.write(file, damaged);
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> tables.read(container.table(), folder.toString()))
                    .isInstanceOf(SkepException.class);
        }
        Files.write(file, whole);
        assertThat(tables.read(container.table(), folder.toString())).hasSize(1);
    }

    @Test
    void aLineOfJsonHasTheLimitOfText() throws IOException {
        TableLayout table = FormatTables.table(
                FormatTables.text("org.apache.hadoop.hive.serde2.JsonSerDe", Map.of()), Map.of(), "a string");
        Files.writeString(folder.resolve("f"), "{\"a\":\"" + "x".repeat(1000) + "\"}\n");
        assertThat(FormatTables.longestRecord(1010).read(table, folder.toString()))
                .hasSize(1);
        assertThatThrownBy(() -> FormatTables.longestRecord(1000).read(table, folder.toString()))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"f.snappy", "f.lz4"})
    void aCompressedTextThatClaimsABlockIsAnError(String name) throws IOException {
        TableLayout table = FormatTables.table(
                FormatTables.text("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", Map.of()),
                Map.of(),
                "a string");
        byte[] claims = new byte[20];
        Arrays.fill(claims, (byte) 0x7F);
        Files.write(folder.resolve(name), claims);
        assertThat(allocated(table)).isLessThan(MAX_BYTES);
        assertThatThrownBy(() -> tables.read(table, folder.toString()))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
    }

    @Test
    void whatUnpacksToMoreThanTheLimitIsAnError() throws IOException {
        for (ContainerFiles.Container bomb : List.of(
                ContainerFiles.sequence(SequenceFile.CompressionType.RECORD, DefaultCodec.class),
                ContainerFiles.sequence(SequenceFile.CompressionType.BLOCK, DefaultCodec.class),
                ContainerFiles.rcFile(DefaultCodec.class),
                ContainerFiles.avro("deflate"),
                ContainerFiles.avro("snappy"),
                ContainerFiles.avro("bzip2"),
                ContainerFiles.avro("zstandard"))) {
            Path file = folder.resolve("f");
            bomb.writing().write(file, List.of("x".repeat(4 << 20)));
            FormatTables limited = FormatTables.longestRecord(1 << 20);
            assertThatThrownBy(() -> limited.read(bomb.table(), folder.toString()))
                    .as(bomb.name())
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
            Files.delete(file);
        }
    }
}
