package io.skep.storage.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.OrcProto.ColumnEncoding;
import org.apache.orc.OrcProto.Stream.Kind;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests ORC files that claim missing data, or that decompress to more than a reader may hold. They must be rejected
 * before memory or time is spent.
 */
@Timeout(60)
final class TestOrcClaims {
    private static final long MAX_BYTES = 32 << 20;

    /** 512 lengths of a million each, encoded with a delta of zero. */
    private static final int[] MILLIONS = {0xC1, 0xFF, 0xC0, 0x84, 0x3D, 0x00};

    private static final TableLayout TABLE = FormatTables.table(
            FormatTables.ORC,
            Map.of("orc.compress", "NONE", "orc.dictionary.key.threshold", "0.5"),
            "direct string",
            "coded string",
            "list array<bigint>",
            "map map<int,string>",
            "nested array<array<int>>");

    private static final int DIRECT = 1;
    private static final int CODED = 2;
    private static final int LIST = 3;
    private static final int MAP = 5;
    private static final int INNER = 9;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder;

    private final FormatTables tables = new FormatTables();
    private OrcBytes file;

    @BeforeEach
    void write() throws IOException {
        Random random = new Random(1);
        List<List<Datum>> rows = new ArrayList<>();
        for (int row = 0; row < 2000; row++) {
            Datum number = new Datum.OfLong(row);
            List<Datum> list = Collections.nCopies(1 + random.nextInt(3), number);
            rows.add(List.of(
                    Datum.ofText("direct ".repeat(1 + random.nextInt(3)) + row),
                    Datum.ofText("coded ".repeat(1 + row % 40 % 7) + row % 40),
                    new Datum.OfList(list),
                    new Datum.OfMap(list.subList(0, 1), List.of(Datum.ofText("m"))),
                    new Datum.OfList(list.stream()
                            .map(one -> (Datum) new Datum.OfList(Collections.nCopies(1 + random.nextInt(2), one)))
                            .toList())));
        }
        tables.write(TABLE, part().toString(), rows);
        assertThat(tables.read(TABLE, folder.toString())).isEqualTo(rows);
        file = new OrcBytes(part());
    }

    private Path part() {
        return folder.resolve("f");
    }

    /** A run of 512 numbers of eight bytes in a stream with fewer bytes. ORC's own reader continues counting there. */
    @ParameterizedTest
    @ValueSource(ints = {DIRECT, LIST, INNER})
    void packedIntegersThatEndTooEarlyAreAnError(int column) throws IOException {
        file.overwrite(column, Kind.LENGTH, 0x7F, 0xFF);
        refuses(StandardErrorCode.CORRUPT_FILE);
    }

    @Test
    void packedIntegersOfDataThatEndTooEarlyAreAnError() throws IOException {
        file.overwrite(CODED, Kind.DATA, 0x7F, 0xFF);
        refuses(StandardErrorCode.CORRUPT_FILE);
    }

    @ParameterizedTest
    @ValueSource(ints = {DIRECT, CODED})
    void lengthsOfTextsAreHeldAgainstTheirBytes(int column) throws IOException {
        file.overwrite(column, Kind.LENGTH, MILLIONS);
        refuses(StandardErrorCode.CORRUPT_FILE);
    }

    @ParameterizedTest
    @ValueSource(ints = {LIST, MAP, INNER})
    void listsAreHeldAgainstTheLimitOfAReader(int column) throws IOException {
        file.overwrite(column, Kind.LENGTH, MILLIONS);
        refuses(StandardErrorCode.MEMORY_LIMIT_EXCEEDED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 30, -1})
    void entriesOfADictionaryAreHeldAgainstItsBytes(int entries) throws IOException {
        file.stripeFooter.getColumnsBuilder(CODED).setDictionarySize(entries);
        refuses(StandardErrorCode.CORRUPT_FILE);
    }

    @Test
    void aStripeIsHeldAgainstItsFile() throws IOException {
        file.footer.getStripesBuilder(0).setDataLength(1 << 30);
        refuses(StandardErrorCode.CORRUPT_FILE);
    }

    /** 130 dictionary lengths of a million each, in the encoding of Hive 0.11. */
    @Test
    void lengthsOfTheFirstEncodingAreHeldAgainstTheirBytes() throws IOException {
        List<List<Datum>> rows = tables.read(TABLE, folder.toString());
        TableLayout old = FormatTables.table(
                FormatTables.ORC,
                Map.of("orc.compress", "NONE", "orc.dictionary.key.threshold", "0.5", "orc.write.format", "0.11"),
                TABLE.dataColumns().stream()
                        .map(column -> column.name() + " " + column.type())
                        .toArray(String[]::new));
        Files.delete(part());
        tables.write(old, part().toString(), rows);
        assertThat(tables.read(old, folder.toString())).isEqualTo(rows);
        file = new OrcBytes(part());
        assertThat(file.stripeFooter.getColumns(DIRECT).getKind()).isEqualTo(ColumnEncoding.Kind.DICTIONARY);
        file.overwrite(DIRECT, Kind.LENGTH, 0x7F, 0x00, 0xC0, 0x84, 0x3D);
        refuses(StandardErrorCode.CORRUPT_FILE);
    }

    private void refuses(StandardErrorCode code) throws IOException {
        file.write(part());
        long before = THREADS.getCurrentThreadAllocatedBytes();
        assertRefused(() -> tables.read(TABLE, folder.toString()), code);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MAX_BYTES);
    }

    private static void assertRefused(ThrowingCallable read, StandardErrorCode code) {
        assertThatThrownBy(read)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    /** A batch that is a hundred times larger than its file, of bytes (which have no dictionary) or of lists. */
    @ParameterizedTest
    @ValueSource(strings = {"binary", "array<bigint>"})
    void aBatchThatUnpacksToMoreThanAReaderMayHoldIsAnError(String type) throws IOException {
        Files.delete(part());
        int limit = RecordLimit.ofReader(new Configuration()).bytes();
        TableLayout table = FormatTables.table(
                FormatTables.ORC, Map.of("orc.compress", "ZSTD", "orc.stripe.size", "2000000000"), "a " + type);
        int bytes = limit / 800;
        Datum large = type.equals("binary")
                ? new Datum.OfBytes(new byte[bytes])
                : new Datum.OfList(Collections.nCopies(bytes / 16, new Datum.OfLong(1)));
        tables.write(table, part().toString(), Collections.nCopies(1000, List.of(large)));
        assertThat(Files.size(part())).isLessThan(limit / 100);
        assertRefused(() -> tables.read(table, folder.toString()), StandardErrorCode.MEMORY_LIMIT_EXCEEDED);
    }
}
