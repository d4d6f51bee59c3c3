package io.skep.engine.function.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionCatalog.Argument;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.scalar.ScalarFunction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.apache.hive.common.util.BloomKFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestCallMemory {
    private static final int MB = 1 << 20;
    private static final SqlType STRING = PrimitiveType.STRING;

    private final FunctionRegistry registry = FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC"));

    private static Vector text(String text) {
        return Datum.ofText(text).toVector(STRING);
    }

    private static Vector binary(byte... bytes) {
        return new Datum.OfBytes(bytes).toVector(PrimitiveType.BINARY);
    }

    private static Vector texts(int count, String text) {
        return new Datum.OfList(Collections.nCopies(count, Datum.ofText(text))).toVector(new ArrayType(STRING));
    }

    private static void refused(StandardErrorCode code, String function, Vector... arguments) {
        assertThatThrownBy(() -> CallMemory.check(function, arguments, 1))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    /** A function that a new version of Hive adds must be classified. */
    @Test
    void everyFunctionOfRowsIsOfAKind() {
        for (String name : HiveFunctions.builtInNames()) {
            FunctionInfo info = HiveFunctions.builtIn(name);
            if (info != null && (info.isGenericUDF() || info.isGenericUDTF())) {
                assertThat(CallKind.of(name)).as(name).isPresent();
            }
        }
        assertThat(CallKind.of("st_anything@org.example.Function")).isEmpty();
    }

    @Test
    void separatorsAreCountedBetweenAllParts() {
        refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "concat_ws", text("x".repeat(MB)), texts(10_000, ""));
        refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "array_join", texts(10_000, ""), text("x".repeat(MB)));
        refused(
                StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                "array_join",
                texts(10_000, ""),
                text(""),
                text("x".repeat(MB)));
        assertThat(CallMemory.check("concat_ws", new Vector[] {text(","), texts(1000, "abc")}, 1))
                .isBetween(4000L, 200_000L);
    }

    /** Tests an array of small documents, and one long text in a document. */
    @Test
    void documentsCountByTheirParts() {
        String flat = "{\"a\":\"" + "x".repeat(MB) + "\"}";
        String deep = "[[],[],".repeat(MB / 7);
        assertThat(CallMemory.check("get_json_object", new Vector[] {text(flat), text("$.a")}, 1))
                .isLessThan(10L * MB);
        assertThat(CallMemory.check("get_json_object", new Vector[] {text(deep), text("$.a")}, 1))
                .isGreaterThan(50L * MB);
        assertThat(CallMemory.check("xpath", new Vector[] {text("<a/>".repeat(MB / 4)), text("/a")}, 1))
                .isGreaterThan(50L * MB);
    }

    @Test
    void usualRowsCountLittle() {
        for (String function : new String[] {"upper", "get_json_object", "xpath", "concat_ws", "translate"}) {
            Vector[] arguments = {text("{\"a\":1}"), text("$.a"), text("b")};
            assertThat(CallMemory.check(function, arguments, 1)).as(function).isLessThan(10_000);
        }
    }

    @Test
    void bloomFiltersHaveWhatTheyClaim() throws IOException {
        BloomKFilter filter = BloomKFilter.build(1000);
        filter.addLong(7);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BloomKFilter.serialize(bytes, filter);
        Vector value = new Datum.OfLong(7).toVector(PrimitiveType.BIGINT);
        CallMemory.check("in_bloom_filter", new Vector[] {value, binary(bytes.toByteArray())}, 1);
        byte[] cut = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 1);
        refused(StandardErrorCode.INVALID_ARGUMENT, "in_bloom_filter", value, binary(cut));
        refused(
                StandardErrorCode.INVALID_ARGUMENT,
                "in_bloom_filter",
                value,
                binary((byte) 1, (byte) 0x20, (byte) 0, (byte) 0, (byte) 0));
    }

    @Test
    void compressedTextsAreBoundedByWhatTheyGive() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            byte[] zeros = new byte[MB];
            for (long written = 0; written <= TextLimit.MAX_BYTES / 8; written += MB) {
                out.write(zeros);
            }
        }
        String bomb = Base64.getEncoder().encodeToString(bytes.toByteArray());
        refused(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "deserialize", text(bomb), text("gzip"));
        CallMemory.check("deserialize", new Vector[] {text("H4sIAAAAAAAA/ytJLS4BAAx+f9gEAAAA"), text("gzip")}, 1);
        CallMemory.check("deserialize", new Vector[] {text("no such text"), text("gzip")}, 1);
    }

    /** Sketches that the library's own functions create pass the check. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "theta",
                "hll",
                "cpc",
                "kll",
                "freq",
                "quantile_doubles",
                "quantile_strings",
                "tuple_doublesummary"
            })
    void sketchesHaveWhatTheyClaim(String family) throws Exception {
        boolean strings = family.equals("freq") || family.equals("quantile_strings");
        for (int values : new int[] {0, 1, 2, 30, 1000, 100_000}) {
            byte[] sketch = SketchesOfHive.of("ds_" + family + "_sketch", strings, values);
            long bytes = CallMemory.check("ds_" + family + "_estimate", new Vector[] {binary(sketch)}, 1);
            assertThat(bytes).as(family + " of " + values).isLessThan(4L * MB);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "get_json_object, '[1,2,', '$[1]'",
        "concat_ws, 'x', 'abc,abc,abc'",
        "xpath, '<a/>', '/a'",
        "mask, 'abcd', 'x'"
    })
    void callsAreRefusedWhenThereIsNoRoom(String function, String repeated, String second) {
        MemoryPool pool = MemoryPool.root("test", 24L * MB);
        ScalarFunction bound = registry.scalar(
                function,
                List.of(Argument.of(STRING), Argument.of(STRING)),
                function.equals("xpath") ? new ArrayType(STRING) : STRING);
        try (ScratchMemory scratch = new ScratchMemory(pool, MB)) {
            assertThatThrownBy(() -> scratch.within(() -> bound.evaluate(
                            new Vector[] {text(repeated.repeat(8 * MB / repeated.length())), text(second)}, 1)))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        }
        assertThat(pool.reservedBytes()).isZero();
    }
}
