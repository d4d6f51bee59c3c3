package io.skep.storage.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.TableLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes of files that columnar readers hold are in the account of the thread that reads. */
final class TestReadBuffers {
    private static final int MB = 1 << 20;
    private static final int LONG_ROWS = 16;

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();
    private final Random random = new Random(5);
    private final MemoryPool pool = MemoryPool.root("reads", 128L * MB);
    private final ScratchMemory scratch = new ScratchMemory(pool, 0);

    @BeforeEach
    void bind() {
        scratch.enter();
    }

    @AfterEach
    void unbind() {
        scratch.leave();
        scratch.close();
        assertThat(pool.reservedBytes()).isZero();
    }

    private Datum text(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('0' + random.nextInt(64));
        }
        return new Datum.OfBytes(bytes);
    }

    private RowGroupReader open(String format, Map<String, String> properties, int rows, int length) {
        TableLayout table = FormatTables.table(FormatTables.format(format, Map.of()), properties, "a int", "s string");
        List<List<Datum>> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(List.of(new Datum.OfLong(i), text(length)));
        }
        tables.write(table, folder + "/f", values);
        scratch.settle(0);
        return tables.formats.open(
                tables.splits(table, folder.toString(), List.of()).getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "parquet,parquet.compression,none",
        "parquet,parquet.compression,zstd",
        "orc,orc.compress,none",
        "orc,orc.compress,zlib"
    })
    void areCountedUntilTheRowGroupIsRead(String format, String setting, String codec) {
        try (RowGroupReader reader = open(format, Map.of(setting, codec), LONG_ROWS, MB)) {
            RowGroup rowGroup = reader.rowGroups().getFirst();
            long needed = reader.bufferBytes(rowGroup, List.of(1));
            assertThat(needed).isBetween(LONG_ROWS * MB * 3L / 4, LONG_ROWS * MB * 3L);
            assertThat(reader.bufferBytes(rowGroup, List.of(0))).isLessThan(MB);
            try (BatchIterator batches = reader.read(rowGroup, List.of(0, 1), 1)) {
                for (int i = 0; i < LONG_ROWS; i++) {
                    assertThat(batches.next().rowCount()).isEqualTo(1);
                    scratch.settle(batches.retainedBytes());
                    if (i + 1 < LONG_ROWS) {
                        assertThat(pool.reservedBytes()).isBetween(LONG_ROWS * MB * 3L / 4, needed + 4 * MB);
                    }
                }
                assertThat(batches.hasNext()).isFalse();
                assertThat(batches.retainedBytes()).isZero();
            }
            assertThat(pool.reservedBytes()).isZero();
        }
    }

    /** One value at a time would find its memory, but readers hold the column of a whole row group. */
    @ParameterizedTest
    @CsvSource({
        "parquet,parquet.compression,none",
        "parquet,parquet.compression,zstd",
        "orc,orc.compress,none",
        "orc,orc.compress,zlib"
    })
    void withoutRoomAreRefusedAndLeaveNothing(String format, String setting, String codec) {
        try (RowGroupReader reader = open(format, Map.of(setting, codec), LONG_ROWS, MB)) {
            RowGroup rowGroup = reader.rowGroups().getFirst();
            pool.reserve(120L * MB);
            try (BatchIterator batches = reader.read(rowGroup, List.of(0, 1), 1)) {
                assertThatThrownBy(batches::next)
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
                scratch.settle(batches.retainedBytes());
                assertThat(pool.reservedBytes()).isEqualTo(120L * MB);
            }
            pool.release(120L * MB);
            try (BatchIterator batches = reader.read(rowGroup, List.of(0, 1), 1)) {
                assertThat(batches.next().rowCount()).isEqualTo(1);
            }
        }
    }

    /** A cursor that waits for the next stride is no thread's. Its buffers are a part of the open file. */
    @Test
    void ofIdleCursorsBelongToTheOpenFile() {
        try (RowGroupReader reader = open("orc", Map.of("orc.compress", "none"), 40_000, 200)) {
            assertThat(reader.rowGroups()).hasSizeGreaterThan(2);
            assertThat(reader.idleBytes()).isZero();
            readWhole(reader, 0);
            assertThat(reader.idleBytes()).isGreaterThan(MB);
            scratch.settle(0);
            readWhole(reader, 1);
            assertThat(reader.idleBytes()).isGreaterThan(MB);
            reader.releaseBuffers();
            assertThat(reader.idleBytes()).isZero();
        }
    }

    private void readWhole(RowGroupReader reader, int index) {
        try (BatchIterator batches = reader.read(reader.rowGroups().get(index), List.of(0, 1))) {
            while (batches.hasNext()) {
                assertThat(batches.next().rowCount()).isPositive();
                if (batches.hasNext()) {
                    assertThat(batches.retainedBytes()).isGreaterThan(MB);
                }
            }
            assertThat(batches.retainedBytes()).isZero();
        }
    }
}
