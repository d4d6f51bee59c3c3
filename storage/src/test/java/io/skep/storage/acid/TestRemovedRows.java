package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.storage.acid.HiveAcidTable.RowId;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the rows of a table of Hive that were removed after some write ids. */
final class TestRemovedRows {
    private static final TableLayout TABLE = FormatTables.table(FormatTables.ORC, Map.of(), "id int", "name string");
    private static final ValidTxnList TRANSACTIONS = Snapshots.transactions(100);
    private static final int BUCKET = BucketProperty.encode(0, 0);

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    @BeforeEach
    void write() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> {
            for (int i = 0; i < 4; i++) {
                to.insert(i, "a");
            }
        });
        table.write(2, 0, 0, to -> to.delete(new RowId(1, BUCKET, 2)));
        table.write(3, 0, 0, to -> to.insert(7, "a"));
        table.write(4, 0, 0, to -> to.delete(new RowId(1, BUCKET, 1)));
        table.write(5, 0, 0, to -> to.delete(new RowId(3, BUCKET, 0)));
    }

    private List<Split> splits(SeenWriteIds seen, long visible) {
        TableSnapshot snapshot =
                TableSnapshot.of(TRANSACTIONS, Snapshots.upTo(visible), true).removedSince(seen);
        SplitEnumerator enumerator = new SplitEnumerator(tables.files, 1L << 40, tables.formats);
        return enumerator.splits(List.of(new SplitEnumerator.Place(
                folder.toString(), TABLE.format(), TABLE.dataColumns(), List.of(), Optional.of(snapshot))));
    }

    /** Returns the first column of the rows of seen write ids that are marked as deleted. */
    private List<Long> removed(SeenWriteIds seen, long visible) {
        List<Integer> columns =
                List.of(0, TABLE.ordinal(VirtualColumn.ROW_IS_DELETED), TABLE.ordinal(VirtualColumn.ROW_ID));
        return tables.read(TABLE, splits(seen, visible), columns, List.of()).stream()
                .filter(row -> number(row.get(1)) == 1)
                .filter(row -> seen.contains(
                        number(((Datum.OfList) row.get(2)).values().getFirst())))
                .map(row -> number(row.getFirst()))
                .toList();
    }

    private static long number(Datum value) {
        return ((Datum.OfLong) value).value();
    }

    private static SeenWriteIds upTo(long highest) {
        return new SeenWriteIds(highest, List.of());
    }

    @Test
    void laterEventsCount() {
        assertThat(removed(upTo(1), 4)).containsExactlyInAnyOrder(1L, 2L);
        assertThat(removed(upTo(2), 5)).containsExactly(1L);
        assertThat(removed(upTo(3), 5)).containsExactlyInAnyOrder(1L, 7L);
    }

    @Test
    void eventsOfTransactionsThatWereOpenCount() {
        assertThat(removed(new SeenWriteIds(4, List.of(2L)), 4)).containsExactly(2L);
        assertThat(removed(new SeenWriteIds(5, List.of(3L, 4L)), 5)).containsExactly(1L);
    }

    @Test
    void filesWithoutThemAreLeftOut() {
        assertThat(splits(upTo(5), 5)).isEmpty();
        assertThat(splits(upTo(2), 5)).hasSize(1);
        assertThat(splits(upTo(3), 5)).hasSize(2);
    }

    @Test
    void compactedEvents() throws IOException {
        Files.move(
                folder.resolve("delete_delta_0000005_0000005_0000"),
                folder.resolve("delete_delta_0000004_0000005_v0000040"));
        assertThat(removed(upTo(3), 5)).containsExactly(7L);
        assertThatThrownBy(() -> removed(upTo(4), 5))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TABLE_CHANGED));
    }

    @Test
    void baseOfLaterWriteIds() throws IOException {
        Files.createDirectory(folder.resolve("base_0000004_v0000040"));
        assertThat(removed(upTo(4), 5)).isEmpty();
        assertThatThrownBy(() -> removed(upTo(3), 5))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TABLE_CHANGED));
        assertThatThrownBy(() -> removed(new SeenWriteIds(4, List.of(2L)), 5)).isInstanceOf(SkepException.class);
    }

    @Test
    void insertOnlyTablesLoseNoRows() {
        TableSnapshot snapshot = TableSnapshot.ofInsertOnly(TRANSACTIONS, Snapshots.upTo(5));
        assertThatThrownBy(() -> snapshot.removedSince(upTo(3))).isInstanceOf(IllegalArgumentException.class);
    }
}
