package io.skep.llap.server.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.RecycledArrays;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.common.vector.VectorArrays;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestChunkEncoding {
    private static final int[][] RANGES = {
        {0, 2048}, {2048, 2048}, {4096, 904}, {1, 1}, {63, 130}, {4999, 1}, {17, 0}, {0, 5000}
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "boolean",
                "tinyint",
                "int",
                "bigint",
                "date",
                "float",
                "double",
                "decimal(18,4)",
                "decimal(38,6)",
                "string",
                "varchar(5)",
                "binary",
                "timestamp",
                "array<int>",
                "map<string,double>",
                "struct<a:int,b:string>",
                "uniontype<int,string>",
                "array<struct<a:array<string>,b:decimal(30,2)>>",
                "map<int,map<string,timestamp>>"
            })
    void anyRowsOfAnyTypeComeBack(String typeText) {
        SqlType type = TypeParser.parse(typeText);
        for (int nullPercent : new int[] {0, 20, 100}) {
            Random random = new Random(typeText.hashCode() + nullPercent);
            List<Vector> parts = List.of(
                    RandomVectors.of(type, 2048, nullPercent, random),
                    RandomVectors.of(type, 2048, nullPercent, random),
                    RandomVectors.of(type, 904, nullPercent, random));
            assertSame(type, parts, 5000);
        }
    }

    @Test
    void everyWidthOfIntegersComesBack() {
        assertLongs(5000, row -> -42);
        for (int bits = 1; bits <= 64; bits++) {
            int shift = 64 - bits;
            Random random = new Random(bits);
            assertLongs(5000, row -> random.nextLong() >>> shift);
            assertLongs(5000, row -> random.nextLong() >> shift);
            assertLongs(70_001, row -> random.nextLong() >>> shift);
            assertLongs(70_001, row -> random.nextLong() >> shift);
        }
        assertLongs(3, row -> row == 1 ? Long.MIN_VALUE : Long.MAX_VALUE);
    }

    @Test
    void sortedKeysBecomeRuns() {
        byte[] chunk = chunkOf(10_000, row -> 1_000_000L + row / 700 * 37L);
        assertThat(chunk.length).isLessThan(300);
        assertLongs(10_000, row -> 1_000_000L + row / 700 * 37L);
        ChunkReader reader = new ChunkReader(MemorySegment.ofArray(chunk));
        assertThat(reader.decode(701, 600)).isInstanceOf(ConstantVector.class);
        assertThat(reader.decode(699, 2)).isInstanceOf(LongVector.class);
    }

    @Test
    void smallRangesTakeFewBits() {
        assertThat(chunkOf(10_000, row -> 5_000_000_000L + row * 7919L % 1000).length)
                .isBetween(12_500, 13_500);
    }

    @Test
    void fewDistinctStringsStayDictionaryEncoded() {
        VectorAppender appender = VectorAppender.of(TypeParser.parse("string"));
        for (int row = 0; row < 5000; row++) {
            byte[] text = ("value " + row % 40).getBytes(StandardCharsets.UTF_8);
            appender.appendBytes(text, 0, text.length);
        }
        Vector source = appender.build();
        Vector decoded = reader(List.of(source)).decode(100, 2048);
        assertThat(decoded).isInstanceOf(DictionaryVector.class);
        assertThat(((DictionaryVector) decoded).dictionary().length()).isEqualTo(40);
        assertSame(TypeParser.parse("string"), List.of(source), 5000);
    }

    @Test
    void sharedDictionariesKeepOnlyEntriesInUse() {
        VectorAppender appender = VectorAppender.of(TypeParser.parse("string"));
        for (int i = 0; i < 1000; i++) {
            byte[] text = ("entry" + i).getBytes(StandardCharsets.UTF_8);
            appender.appendBytes(text, 0, text.length);
        }
        Vector dictionary = appender.build();
        int[] ids = new int[2048];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = i % 10 * 100;
        }
        Vector part = new DictionaryVector(ids, dictionary, null, ids.length);
        List<Vector> parts = List.of(part, part);
        Vector decoded = reader(parts).decode(5, 100);
        assertThat(((DictionaryVector) decoded).dictionary().length()).isEqualTo(10);
        assertSame(TypeParser.parse("string"), parts, 4096);
    }

    @Test
    void constantPartsMixWithFlatOnes() {
        SqlType type = TypeParser.parse("bigint");
        Vector flat = RandomVectors.of(type, 100, 10, new Random(1));
        assertSame(type, List.of(VectorAppender.nulls(type, 50), flat, VectorAppender.nulls(type, 3)), 153);
    }

    @Test
    void emptyChunksAndLongStrings() {
        SqlType type = TypeParser.parse("string");
        assertSame(type, List.of(VectorAppender.empty(type)), 0);
        VectorAppender appender = VectorAppender.of(type);
        byte[] large = new byte[3_000_000];
        new Random(3).nextBytes(large);
        appender.appendBytes(large, 0, large.length);
        appender.appendNull();
        appender.appendBytes(large, 1, 0);
        Vector vector = reader(List.of(appender.build())).decode(0, 3);
        assertThat(((BytesVector) vector).bytes(0)).isEqualTo(large);
        assertThat(vector.isNull(1)).isTrue();
        assertThat(((BytesVector) vector).bytes(2)).isEmpty();
    }

    @Test
    void rowsOutsideAreRefused() {
        ChunkReader reader = new ChunkReader(MemorySegment.ofArray(chunkOf(10, row -> row)));
        assertThatThrownBy(() -> reader.decode(5, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static void assertLongs(int rows, IntToLongFunction values) {
        long[] expected = new long[rows];
        for (int i = 0; i < rows; i++) {
            expected[i] = values.applyAsLong(i);
        }
        for (ChunkReader reader : readers(List.of(new LongVector(expected, null, rows)))) {
            for (int from = 0; from < rows; from += 777) {
                int count = Math.min(777, rows - from);
                LongVector decoded = (LongVector) reader.decode(from, count).flatten();
                assertThat(Arrays.copyOf(decoded.values(), count))
                        .isEqualTo(Arrays.copyOfRange(expected, from, from + count));
                assertPicked(reader, new LongVector(expected, null, rows), from, count);
            }
        }
    }

    private static byte[] chunkOf(int rows, IntToLongFunction values) {
        long[] all = new long[rows];
        for (int i = 0; i < rows; i++) {
            all[i] = values.applyAsLong(i);
        }
        return ChunkEncoder.encode(List.of(new LongVector(all, null, rows)));
    }

    private static ChunkReader reader(List<Vector> parts) {
        return new ChunkReader(MemorySegment.ofArray(ChunkEncoder.encode(parts)));
    }

    /** Returns readers of a chunk on the heap, and of one where the cache has its chunks. */
    private static List<ChunkReader> readers(List<Vector> parts) {
        byte[] encoded = ChunkEncoder.encode(parts);
        MemorySegment cached = Arena.ofAuto().allocate(encoded.length, Long.BYTES);
        cached.copyFrom(MemorySegment.ofArray(encoded));
        return List.of(new ChunkReader(MemorySegment.ofArray(encoded)), new ChunkReader(cached));
    }

    private static void assertSame(SqlType type, List<Vector> parts, int rows) {
        VectorAppender whole = VectorAppender.of(type);
        for (Vector part : parts) {
            for (int i = 0; i < part.length(); i++) {
                whole.append(part, i);
            }
        }
        Vector expected = whole.build();
        for (ChunkReader reader : readers(parts)) {
            RecycledArrays recycled = RecycledArrays.of(0);
            assertThat(reader.rowCount()).isEqualTo(rows);
            for (int[] range : RANGES) {
                if (range[0] + range[1] <= rows) {
                    assertSame(reader, expected, range[0], range[1], recycled);
                }
            }
        }
    }

    private static void assertSame(ChunkReader reader, Vector expected, int from, int count, RecycledArrays recycled) {
        for (VectorArrays arrays : List.of(VectorArrays.NEW, recycled)) {
            Vector decoded = reader.decode(from, count, arrays);
            assertThat(decoded.length()).isEqualTo(count);
            assertThat(RandomVectors.text(decoded, 0, count)).isEqualTo(RandomVectors.text(expected, from, count));
        }
        assertSelectedIsACopy(reader, from, count, recycled);
        assertPicked(reader, expected, from, count);
    }

    /** Reused arrays overwrite decoded values, but not values that were selected from them. */
    private static void assertSelectedIsACopy(ChunkReader reader, int from, int count, RecycledArrays arrays) {
        int[] all = IntStream.range(0, count).toArray();
        Vector selected = reader.decode(from, count, arrays).select(all, count);
        Vector picked = reader.decode(from, count, all, count, arrays);
        List<String> before = RandomVectors.text(selected, 0, count);
        arrays.takeBack();
        assertThat(RandomVectors.text(selected, 0, count)).isEqualTo(before);
        assertThat(RandomVectors.text(picked, 0, count)).isEqualTo(before);
    }

    /** Decoding few or many selected rows of a range returns the same values as decoding the whole range. */
    private static void assertPicked(ChunkReader reader, Vector expected, int from, int span) {
        for (int step : new int[] {1, 3, 50}) {
            int[] rows = IntStream.range(0, span)
                    .filter(row -> row % step == step / 2)
                    .toArray();
            assertSame(
                    reader.decode(from, span, rows, rows.length, VectorArrays.NEW), expected.slice(from, span), rows);
        }
        int[] most = IntStream.range(0, span).filter(row -> row % 5 != 2).toArray();
        Vector retained = reader.retain(from, span, most, most.length, RecycledArrays.of(0));
        assertSame(retained, expected.slice(from, span), most);
    }

    private static void assertSame(Vector picked, Vector expected, int[] rows) {
        assertThat(picked.length()).isEqualTo(rows.length);
        assertThat(RandomVectors.text(picked, 0, rows.length))
                .isEqualTo(RandomVectors.text(expected.select(rows, rows.length), 0, rows.length));
    }
}
