package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Datum;
import io.skep.storage.acid.HiveAcidTable.Row;
import io.skep.storage.acid.HiveAcidTable.RowId;
import io.skep.storage.compaction.CompactedPlace;
import io.skep.storage.compaction.CompactionFiles;
import io.skep.storage.compaction.CompactorSnapshot;
import io.skep.storage.compaction.PartitionCompaction;
import io.skep.storage.compaction.PartitionRebalance;
import io.skep.storage.compaction.PartitionState;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.page.DirectPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compacts tables that Hive's classes wrote. Hive's classes and Skep read the same rows before and afterwards. */
class TestCompactedTables {
    private static final TableLayout TABLE = FormatTables.table(FormatTables.ORC, Map.of(), "id int", "name string");
    private static final ValidTxnList TRANSACTIONS = Snapshots.transactions(100);
    private static final int BUCKET0 = BucketProperty.encode(0, 0);

    @TempDir
    Path root;

    private final FormatTables tables = new FormatTables();
    private final MemoryPool memory = MemoryPool.root("test", 512 << 20);
    private final CompactionFiles io = new CompactionFiles(
            tables.files,
            tables.formats,
            new DirectPageSourceFactory(tables.formats, tables.files, new PartitionValues(FormatTables.ZONE)),
            tables.formats,
            memory);

    private Path folder() {
        return root.resolve("t");
    }

    /** Compacts what a snapshot contains, and returns the names of the new folders. */
    private List<String> compact(
            TableLayout table, boolean insertOnly, boolean major, long transaction, ValidWriteIdList ids) {
        String location = folder().toString();
        CompactorSnapshot snapshot = CompactorSnapshot.of(TRANSACTIONS, ids, Long.MAX_VALUE);
        CompactedPlace place = new CompactedPlace(location, table, table.format(), table.dataColumns(), insertOnly);
        PartitionState state = PartitionState.of(tables.files, location, insertOnly, snapshot);
        if (!major && state.state().deltas().isEmpty()) {
            return List.of();
        }
        String staging = root + "/staging" + transaction;
        PartitionCompaction compaction = new PartitionCompaction(io, place, snapshot, state, transaction, staging);
        List<String> names = new ArrayList<>();
        for (AcidFolder written : major ? compaction.writeBase() : compaction.writeDeltas()) {
            tables.files.rename(staging + "/" + written.name(), location + "/" + written.name());
            names.add(written.name());
        }
        assertThat(memory.reservedBytes()).isZero();
        return names;
    }

    private List<String> compact(boolean major, long transaction, ValidWriteIdList ids) {
        return compact(TABLE, false, major, transaction, ids);
    }

    private void clean(long last) {
        CompactorSnapshot snapshot = CompactorSnapshot.of(TRANSACTIONS, Snapshots.upTo(last), Long.MAX_VALUE);
        PartitionState state = PartitionState.of(tables.files, folder().toString(), false, snapshot);
        state.replaced().forEach(tables.files::delete);
        state.aborted().forEach(tables.files::delete);
    }

    private List<Row> ours(ValidTxnList transactions, ValidWriteIdList ids) {
        TableSnapshot snapshot = TableSnapshot.of(transactions, ids, true);
        List<Split> splits = new SplitEnumerator(tables.files, 1L << 40, tables.formats)
                .splits(List.of(new SplitEnumerator.Place(
                        folder().toString(), TABLE.format(), TABLE.dataColumns(), List.of(), Optional.of(snapshot))));
        List<Row> rows = new ArrayList<>();
        for (List<Datum> row :
                tables.read(TABLE, splits, List.of(0, 1, TABLE.ordinal(VirtualColumn.ROW_ID)), List.of())) {
            List<Long> id = ((Datum.OfList) row.get(2))
                    .values().stream()
                            .map(value -> ((Datum.OfLong) value).value())
                            .toList();
            String values = "{" + ((Datum.OfLong) row.get(0)).value() + ", "
                    + (row.get(1).isNull() ? "null" : row.get(1).toString()) + "}";
            rows.add(new Row(id.get(0), Math.toIntExact(id.get(1)), id.get(2), values));
        }
        return sorted(rows);
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream()
                .sorted(Comparator.comparingLong(Row::writeId)
                        .thenComparingInt(Row::bucket)
                        .thenComparingLong(Row::rowId))
                .toList();
    }

    /** Returns the rows that both read. */
    private List<Row> rows(ValidTxnList transactions, ValidWriteIdList ids) {
        List<Row> rows = ours(transactions, ids);
        // Hive remembers the last base of a write id.
        HiveAcidTable hive = new HiveAcidTable(folder()).with("hive.txn.acid.dir.cache.duration", "0");
        assertThat(sorted(hive.read(transactions, ids))).isEqualTo(rows);
        return rows;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> found = Files.list(folder())) {
            return found.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private void history(Random random, int writes) {
        HiveAcidTable hive = new HiveAcidTable(folder());
        List<RowId> rows = new ArrayList<>();
        for (long writeId = 1; writeId <= writes; writeId++) {
            for (int bucket = 0; bucket < 2; bucket++) {
                write(hive, random, writeId, bucket, rows);
            }
        }
    }

    private static void write(HiveAcidTable hive, Random random, long writeId, int bucket, List<RowId> rows) {
        int property = BucketProperty.encode(bucket, 0);
        List<RowId> deleted = rows.stream()
                .filter(row -> row.bucket() == property && random.nextInt(4) == 0)
                .sorted(Comparator.comparingLong(RowId::writeId).thenComparingLong(RowId::rowId))
                .toList();
        int inserts = random.nextInt(300);
        hive.write(writeId, 0, bucket, to -> {
            for (RowId row : deleted) {
                to.delete(row);
            }
            for (int i = 0; i < inserts; i++) {
                to.insert(i, random.nextInt(10) == 0 ? null : "w" + writeId);
            }
        });
        rows.removeAll(deleted);
        for (int i = 0; i < inserts; i++) {
            rows.add(new RowId(writeId, property, i));
        }
    }

    @Test
    void randomHistories() throws IOException {
        for (int seed = 0; seed < 8; seed++) {
            root = Files.createDirectories(root.resolve("s" + seed));
            Random random = new Random(seed);
            int writes = 4 + random.nextInt(6);
            history(random, writes);
            boolean major = seed % 2 == 0;
            long limit = 1L + random.nextInt(writes);
            ValidWriteIdList all = Snapshots.upTo(writes);
            List<Row> before = rows(TRANSACTIONS, all);
            List<Row> older = rows(TRANSACTIONS, Snapshots.upTo(limit));
            // A compaction that does not see the last writes, one that sees all, and one over the others' results.
            compact(major, 50, Snapshots.writeIds(writes, new long[] {limit + 1}));
            assertThat(rows(TRANSACTIONS, all)).as("seed %s", seed).isEqualTo(before);
            assertThat(rows(TRANSACTIONS, Snapshots.upTo(limit))).isEqualTo(older);
            clean(limit);
            assertThat(rows(TRANSACTIONS, all)).as("seed %s", seed).isEqualTo(before);
            compact(!major, 51, all);
            assertThat(rows(TRANSACTIONS, all)).as("seed %s", seed).isEqualTo(before);
            clean(writes);
            assertThat(rows(TRANSACTIONS, all)).as("seed %s", seed).isEqualTo(before);
            compact(true, 52, all);
            clean(writes);
            assertThat(rows(TRANSACTIONS, all)).as("seed %s", seed).isEqualTo(before);
            assertThat(names()).hasSize(1);
        }
    }

    private void rebalance(int buckets, long writeId, long transaction) {
        String location = folder().toString();
        CompactorSnapshot snapshot = CompactorSnapshot.of(TRANSACTIONS, Snapshots.upTo(writeId), writeId);
        CompactedPlace place = new CompactedPlace(location, TABLE, TABLE.format(), TABLE.dataColumns(), false);
        PartitionState state = PartitionState.of(tables.files, location, false, snapshot);
        String staging = root + "/staging" + transaction;
        AcidFolder base = new PartitionRebalance(io, place, snapshot, state, writeId, transaction, staging)
                .write(buckets, (rows, target) -> rows.accept(target));
        tables.files.rename(staging + "/" + base.name(), location + "/" + base.name());
        assertThat(memory.reservedBytes()).isZero();
    }

    private static List<String> values(List<Row> rows) {
        return rows.stream().map(Row::values).sorted().toList();
    }

    /** Hive reads the rows of a rebalance by their new identifiers, and deletes them. */
    @Test
    void rebalancedHistories() throws IOException {
        for (int seed = 0; seed < 4; seed++) {
            root = Files.createDirectories(root.resolve("r" + seed));
            Random random = new Random(seed);
            int writes = 3 + random.nextInt(4);
            history(random, writes);
            List<Row> before = rows(TRANSACTIONS, Snapshots.upTo(writes));
            int buckets = 1 + random.nextInt(6);
            long writeId = writes + 1L;
            rebalance(buckets, writeId, 50);
            List<Row> after = rows(TRANSACTIONS, Snapshots.upTo(writeId));
            assertThat(values(after)).as("seed %s", seed).isEqualTo(values(before));
            assertThat(after)
                    .allMatch(row -> row.writeId() == writeId && row.rowId() < Math.ceilDiv(before.size(), buckets));
            clean(writeId);
            assertThat(names()).hasSize(1);
            assertThat(rows(TRANSACTIONS, Snapshots.upTo(writeId))).isEqualTo(after);
            Row gone = after.get(random.nextInt(after.size()));
            new HiveAcidTable(folder())
                    .write(
                            writeId + 1,
                            0,
                            BucketProperty.bucket(gone.bucket()),
                            to -> to.delete(new RowId(gone.writeId(), gone.bucket(), gone.rowId())));
            List<Row> left = new ArrayList<>(after);
            left.remove(gone);
            assertThat(rows(TRANSACTIONS, Snapshots.upTo(writeId + 1))).isEqualTo(left);
            compact(true, 51, Snapshots.upTo(writeId + 1));
            clean(writeId + 1);
            assertThat(rows(TRANSACTIONS, Snapshots.upTo(writeId + 1))).isEqualTo(left);
        }
    }

    @Test
    void foldersHaveHivesNames() throws IOException {
        HiveAcidTable hive = new HiveAcidTable(folder());
        hive.write(1, 0, 0, to -> to.insert(1, "a"));
        hive.write(2, 0, 3, to -> to.insert(2, "b"));
        hive.write(3, 0, 0, to -> to.delete(new RowId(1, BUCKET0, 0)));
        assertThat(compact(false, 12, Snapshots.upTo(3)))
                .containsExactlyInAnyOrder("delta_0000001_0000003_v0000012", "delete_delta_0000001_0000003_v0000012");
        assertThat(folder().resolve("delta_0000001_0000003_v0000012")).isDirectoryContaining("glob:**bucket_00003");
        assertThat(folder().resolve("delete_delta_0000001_0000003_v0000012"))
                .isDirectoryContaining("glob:**bucket_00000")
                .isDirectoryContaining("glob:**_orc_acid_version");
        assertThat(compact(true, 13, Snapshots.upTo(3))).containsExactly("base_0000003_v0000013");
        assertThat(rows(TRANSACTIONS, Snapshots.upTo(3))).hasSize(1);
        assertThat(folder().resolve("base_0000003_v0000013/bucket_00000"))
                .as("all rows of the bucket are deleted")
                .doesNotExist();
    }

    @Test
    void openAndAbortedWritesAreLeftOut() throws IOException {
        HiveAcidTable hive = new HiveAcidTable(folder());
        for (long writeId = 1; writeId <= 6; writeId++) {
            String name = "w" + writeId;
            hive.write(writeId, 0, 0, to -> to.insert(1, name));
        }
        ValidWriteIdList ids = Snapshots.writeIds(6, new long[] {5}, 2, 6);
        List<Row> before = rows(TRANSACTIONS, ids);
        assertThat(before).hasSize(3);
        assertThat(compact(true, 40, ids)).containsExactly("base_0000004_v0000040");
        assertThat(rows(TRANSACTIONS, ids)).isEqualTo(before);
        PartitionState state = PartitionState.of(
                tables.files, folder().toString(), false, CompactorSnapshot.of(TRANSACTIONS, ids, Long.MAX_VALUE));
        assertThat(state.aborted()).singleElement().asString().endsWith("delta_0000002_0000002_0000");
        assertThat(state.replaced()).hasSize(3);
        state.replaced().forEach(tables.files::delete);
        state.aborted().forEach(tables.files::delete);
        assertThat(rows(TRANSACTIONS, ids)).isEqualTo(before);
        assertThat(names())
                .containsExactly("base_0000004_v0000040", "delta_0000005_0000005_0000", "delta_0000006_0000006_0000");
    }

    @Test
    void aCompactionIsInvisibleUntilItsTransactionCommits() {
        history(new Random(5), 4);
        ValidWriteIdList all = Snapshots.upTo(4);
        List<Row> before = rows(TRANSACTIONS, all);
        compact(true, 50, all);
        ValidTxnList open = Snapshots.transactions(100, 50);
        assertThat(rows(open, all)).isEqualTo(before);
        PartitionState state = PartitionState.of(
                tables.files, folder().toString(), false, CompactorSnapshot.of(open, all, Long.MAX_VALUE));
        assertThat(state.replaced()).isEmpty();
        assertThat(state.aborted()).isEmpty();
    }

    @Test
    void originalFilesAreCompacted() {
        for (String name : List.of("000000_0", "000000_0_copy_1", "000001_0")) {
            List<List<Datum>> rows = IntStream.range(0, 3_000)
                    .mapToObj(i -> List.of((Datum) new Datum.OfLong(i), Datum.ofText(name)))
                    .toList();
            tables.write(TABLE, folder() + "/" + name, rows);
        }
        HiveAcidTable hive = new HiveAcidTable(folder());
        hive.write(1, 0, 0, to -> {
            for (int i = 2_990; i < 3_010; i++) {
                to.delete(new RowId(0, BUCKET0, i));
            }
            to.insert(1, "new");
        });
        List<Row> before = rows(TRANSACTIONS, Snapshots.upTo(1));
        assertThat(before).hasSize(9_000 - 20 + 1);
        compact(true, 9, Snapshots.upTo(1));
        assertThat(rows(TRANSACTIONS, Snapshots.upTo(1))).isEqualTo(before);
        clean(1);
        assertThat(folder().resolve("000000_0")).doesNotExist();
        assertThat(rows(TRANSACTIONS, Snapshots.upTo(1))).isEqualTo(before);
    }

    @Test
    void manyDeleteDeltasAreMergedInPasses() {
        int writes = 150;
        HiveAcidTable hive = new HiveAcidTable(folder());
        hive.write(1, 0, 0, to -> {
            for (int i = 0; i < 5_000; i++) {
                to.insert(i, "a" + i);
            }
        });
        for (int w = 2; w <= writes; w++) {
            int offset = w;
            hive.write(w, 0, 0, to -> {
                for (int i = offset; i < 5_000; i += 200) {
                    to.delete(new RowId(1, BUCKET0, i));
                }
            });
        }
        List<Row> before = rows(TRANSACTIONS, Snapshots.upTo(writes));
        compact(false, 60, Snapshots.upTo(writes));
        assertThat(rows(TRANSACTIONS, Snapshots.upTo(writes))).isEqualTo(before);
        clean(writes);
        assertThat(rows(TRANSACTIONS, Snapshots.upTo(writes))).isEqualTo(before);
    }

    @Test
    void insertOnlyTablesOfAllFormats() throws IOException {
        for (String format : List.of("textfile", "parquet", "orc", "avro", "sequencefile")) {
            root = Files.createDirectories(root.resolve(format));
            TableLayout table =
                    FormatTables.table(FormatTables.format(format, Map.of()), Map.of(), "id int", "name string");
            tables.write(table, folder() + "/000000_0", List.of(List.of(new Datum.OfLong(0), Datum.ofText("old"))));
            for (int writeId = 1; writeId <= 4; writeId++) {
                tables.write(
                        table,
                        folder() + "/delta_000000" + writeId + "_000000" + writeId + "_0000/000000_0",
                        List.of(List.of(new Datum.OfLong(writeId), Datum.NULL)));
            }
            ValidWriteIdList ids = Snapshots.writeIds(4, new long[] {4}, 2);
            assertThat(plain(table, ids)).containsExactlyInAnyOrder(0L, 1L, 3L);
            assertThat(compact(table, true, false, 20, ids)).containsExactly("delta_0000001_0000003_v0000020");
            assertThat(plain(table, ids)).as(format).containsExactlyInAnyOrder(0L, 1L, 3L);
            assertThat(compact(table, true, true, 21, ids)).containsExactly("base_0000003_v0000021");
            assertThat(plain(table, ids)).as(format).containsExactlyInAnyOrder(0L, 1L, 3L);
            assertThat(plain(table, Snapshots.writeIds(4, new long[0], 2)))
                    .as(format)
                    .containsExactlyInAnyOrder(0L, 1L, 3L, 4L);
        }
    }

    private List<Long> plain(TableLayout table, ValidWriteIdList ids) {
        TableSnapshot snapshot = TableSnapshot.ofInsertOnly(TRANSACTIONS, ids);
        List<Split> splits = new SplitEnumerator(tables.files, 1L << 40, tables.formats)
                .splits(List.of(new SplitEnumerator.Place(
                        folder().toString(), table.format(), table.dataColumns(), List.of(), Optional.of(snapshot))));
        return tables.read(table, splits, List.of(0), List.of()).stream()
                .map(row -> ((Datum.OfLong) row.getFirst()).value())
                .toList();
    }

    @Test
    void anInterruptLeavesOnlyStagedFolders() throws IOException {
        history(new Random(7), 4);
        List<String> before = names();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> compact(true, 50, Snapshots.upTo(4)))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(names()).isEqualTo(before);
        assertThat(memory.reservedBytes()).isZero();
    }
}
