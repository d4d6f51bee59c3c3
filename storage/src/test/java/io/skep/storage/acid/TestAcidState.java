package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FileEntry;
import io.skep.storage.file.HadoopFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hadoop.hive.ql.io.AcidDirectory;
import org.apache.hadoop.hive.ql.io.AcidUtils;
import org.apache.hive.common.util.Ref;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestAcidState {
    private static final int HIGHEST = 12;
    private static final long LAST_TRANSACTION = 40;
    private static final long OPEN_TRANSACTION = 31;

    @TempDir
    Path folder;

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());

    /** Compares random sets of folders with what Hive's AcidUtils finds. */
    @Test
    void findsWhatHiveFinds() throws IOException {
        byte[] file = aFile();
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            Path table = folder.resolve("t" + seed);
            ValidWriteIdList writeIds = writeIds(random);
            ValidTxnList transactions = Snapshots.transactions(LAST_TRANSACTION, OPEN_TRANSACTION);
            for (String name : folders(random, writeIds)) {
                write(table.resolve(name).resolve("bucket_00000"), file);
            }
            if (random.nextInt(3) == 0) {
                write(table.resolve("000000_0"), file);
                write(table.resolve("000001_0_copy_1"), file);
            }
            if (random.nextInt(5) == 0) {
                write(table.resolve("HIVE_UNION_SUBDIR_1").resolve("000000_0"), file);
            }
            Files.createDirectories(table);
            assertThat(ours(table, transactions, writeIds))
                    .as("seed %d, write ids %s", seed, writeIds)
                    .isEqualTo(hives(table, transactions, writeIds));
        }
    }

    private byte[] aFile() throws IOException {
        Path written = folder.resolve("written");
        new HiveAcidTable(written).write(1, 0, 0, updater -> updater.insert(1, "a"));
        return Files.readAllBytes(written.resolve("delta_0000001_0000001_0000").resolve("bucket_00000"));
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    private static ValidWriteIdList writeIds(Random random) {
        long last = 3L + random.nextInt(HIGHEST - 2);
        List<Long> open = new ArrayList<>();
        List<Long> aborted = new ArrayList<>();
        for (long writeId = 1; writeId <= last; writeId++) {
            int dice = random.nextInt(10);
            if (dice == 0) {
                open.add(writeId);
            } else if (dice < 3) {
                aborted.add(writeId);
            }
        }
        return Snapshots.writeIds(
                last,
                open.stream().mapToLong(Long::longValue).toArray(),
                aborted.stream().mapToLong(Long::longValue).toArray());
    }

    private static Set<String> folders(Random random, ValidWriteIdList writeIds) {
        Set<String> names = new TreeSet<>();
        Map<String, String> compactions = new HashMap<>();
        int count = 1 + random.nextInt(10);
        for (int i = 0; i < count; i++) {
            long min = 1L + random.nextInt(HIGHEST);
            long max = random.nextInt(3) == 0 ? Math.min(HIGHEST, min + random.nextInt(5)) : min;
            String visible =
                    random.nextInt(4) == 0 ? "_v" + String.format(Locale.ROOT, "%07d", visibility(random)) : "";
            int kind = random.nextInt(6);
            if (kind == 0 && !Long.valueOf(max).equals(writeIds.getMinOpenWriteId())) {
                // Hive also takes the base of the first open write id, which has not committed, so there is none.
                String base = AcidFolder.ofBase(max).name();
                // Of two bases of one write id, Hive takes one or the other.
                names.add(base + compactions.computeIfAbsent(base, unknown -> visible));
            } else if (kind > 0) {
                String range = String.format(Locale.ROOT, "%07d_%07d", min, max);
                boolean statement = min == max && visible.isEmpty() && random.nextInt(4) > 0;
                // Hive may take both of two compactions of the same deltas.
                String suffix =
                        statement ? "_000" + random.nextInt(3) : compactions.computeIfAbsent(range, unknown -> visible);
                names.add((kind < 3 ? "delete_delta_" : "delta_") + range + suffix);
            }
        }
        return names;
    }

    private static long visibility(Random random) {
        return random.nextInt(4) == 0 ? OPEN_TRANSACTION : 20 + random.nextInt(25);
    }

    private List<String> ours(Path table, ValidTxnList transactions, ValidWriteIdList writeIds) {
        try {
            String location = files.qualified(table.toString());
            List<FileEntry> tree = files.listTrees(List.of(location)).getFirst();
            AcidState state =
                    AcidState.of(location, tree, TableSnapshot.of(transactions, writeIds, false), base -> false);
            List<String> found = new ArrayList<>();
            state.base().ifPresent(base -> found.add(base.folder().name()));
            state.originals().forEach(file -> found.add(file.name()));
            state.deltas().forEach(delta -> found.add(delta.folder().name()));
            return found;
        } catch (SkepException e) {
            return List.of(e.code().toString());
        }
    }

    private static List<String> hives(Path table, ValidTxnList transactions, ValidWriteIdList writeIds) {
        Configuration conf = new Configuration();
        conf.set(ValidTxnList.VALID_TXNS_KEY, transactions.writeToString());
        try {
            AcidDirectory state = AcidUtils.getAcidState(
                    FileSystem.getLocal(conf).getRaw(),
                    new org.apache.hadoop.fs.Path(table.toUri()),
                    conf,
                    writeIds,
                    Ref.from(false),
                    true);
            List<String> found = new ArrayList<>();
            if (state.getBaseDirectory() != null) {
                found.add(state.getBaseDirectory().getName());
            }
            state.getOriginalFiles()
                    .forEach(file -> found.add(file.getFileStatus().getPath().getName()));
            state.getCurrentDirectories()
                    .forEach(delta -> found.add(delta.getPath().getName()));
            return found;
        } catch (IOException e) {
            return List.of(StandardErrorCode.TABLE_CHANGED.toString());
        }
    }

    @Test
    void anEmptyBaseHidesEverythingBeforeIt() throws IOException {
        Path table = folder.resolve("t");
        write(table.resolve("000000_0"), new byte[] {1});
        write(table.resolve("delta_0000001_0000001_0000").resolve("bucket_00000"), new byte[] {1});
        Files.createDirectories(table.resolve("base_0000002"));
        ValidTxnList all = Snapshots.transactions(LAST_TRANSACTION);
        assertThat(ours(table, all, Snapshots.upTo(2))).containsExactly("base_0000002");
        assertThat(ours(table, all, Snapshots.upTo(1))).containsExactly("000000_0", "delta_0000001_0000001_0000");
    }

    @Test
    void ofTwoCompactionsOfTheSameDeltasTheLastIsRead() throws IOException {
        Path table = folder.resolve("t");
        for (String name : List.of("delta_0000001_0000003", "delete_delta_0000001_0000003")) {
            for (String visible : List.of("", "_v0000007", "_v0000012")) {
                write(table.resolve(name + visible).resolve("bucket_00000"), new byte[] {1});
            }
        }
        write(table.resolve("delta_0000002_0000002_0000").resolve("bucket_00000"), new byte[] {1});
        assertThat(ours(table, Snapshots.transactions(LAST_TRANSACTION), Snapshots.upTo(3)))
                .containsExactly("delete_delta_0000001_0000003_v0000012", "delta_0000001_0000003_v0000012");
        assertThat(ours(table, Snapshots.transactions(LAST_TRANSACTION, 12), Snapshots.upTo(3)))
                .containsExactly("delete_delta_0000001_0000003_v0000007", "delta_0000001_0000003_v0000007");
    }

    @Test
    void aBaseOfAnOpenOverwriteIsNotRead() throws IOException {
        Path table = folder.resolve("t");
        write(table.resolve("delta_0000001_0000001_0000").resolve("bucket_00000"), new byte[] {1});
        write(table.resolve("base_0000002").resolve("bucket_00000"), new byte[] {1});
        ValidTxnList all = Snapshots.transactions(LAST_TRANSACTION);
        assertThat(ours(table, all, Snapshots.writeIds(3, new long[] {2})))
                .containsExactly("delta_0000001_0000001_0000");
    }

    @Test
    void wrongFolderNamesAreErrors() {
        for (String name : List.of(
                "base_",
                "base_x",
                "base_5_",
                "base_99999999999999999999",
                "delta_5",
                "delta_6_5",
                "delta_5_5_v",
                "delta_1_2_99999999999",
                "delete_delta_1_")) {
            assertThatThrownBy(() -> AcidFolder.parse(name))
                    .as(name)
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
        }
        assertThat(LongStream.of(1, 7, 123_456_789).mapToObj(AcidFolder::ofBase))
                .extracting(AcidFolder::name)
                .containsExactly("base_0000001", "base_0000007", "base_123456789");
        assertThat(AcidFolder.parse("day=1")).isEmpty();
    }
}
