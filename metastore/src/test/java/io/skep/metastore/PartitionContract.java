package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests partitions: values, folders, changes, and large numbers of them. */
interface PartitionContract extends CatalogUnderTest {
    @Test
    default void partitionsAreFilteredByValues() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string", "h", "int")));
        List<Partition> added = new ArrayList<>();
        for (String day : List.of("2020-01-01", "2020-01-02")) {
            for (int hour = 0; hour < 3; hour++) {
                added.add(partition(table, day, Integer.toString(hour)));
            }
        }
        catalog().addPartitions(table, added, false);
        assertThat(catalog().partitions(table, values -> true)).hasSize(6);
        List<Partition> some =
                catalog().partitions(table, values -> values.get(1).equals("2"));
        assertThat(some)
                .extracting(Partition::values)
                .containsExactly(List.of("2020-01-01", "2"), List.of("2020-01-02", "2"));
        assertThat(some.getFirst().storage().location())
                .isEqualTo(table.storage().location() + "/ds=2020-01-01/h=2");
        assertThat(CatalogUnderTest.path(some.getFirst().storage().location())).isDirectory();
        assertThat(some.getFirst().properties()).containsEntry("p", "2020-01-01");
        assertThat(catalog().partitionNames(table)).hasSize(6).first().isEqualTo("ds=2020-01-01/h=0");
        assertThat(catalog().partitionsByName(table, List.of("ds=2020-01-02/h=1", "ds=no/h=1")))
                .hasSize(1);
    }

    @Test
    default void partitionValuesMayHoldAnyCharacter() {
        Table table = create(table("db", "t", columns("a", "int"), columns("s", "string")));
        List<String> values = List.of("a b", "x/y=z", "100%", "ü", PartitionName.DEFAULT_PARTITION, "a:b'\"");
        for (String value : values) {
            catalog().addPartitions(table, List.of(partition(table, value)), false);
        }
        assertThat(catalog().partitions(table, v -> true).stream()
                        .map(p -> p.values().getFirst()))
                .containsExactlyInAnyOrderElementsOf(values);
        for (String value : values) {
            assertThat(catalog().partition(table, List.of(value))).isPresent();
        }
        catalog().dropPartitions(table, List.of(List.of("x/y=z")), DroppedFiles.TRASHED);
        assertThat(catalog().partition(table, List.of("x/y=z"))).isEmpty();
        assertThat(warehouse().resolve("db.db/t/s=x%2Fy%3Dz")).doesNotExist();
        assertThat(warehouse().resolve("db.db/t/s=100%25")).isDirectory();
    }

    @Test
    default void partitionsAreAddedAllOrNone() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "a")), false);
        List<Partition> more = List.of(partition(table, "b"), partition(table, "a"));
        CatalogUnderTest.fails(
                StandardErrorCode.PARTITION_EXISTS, () -> catalog().addPartitions(table, more, false));
        assertThat(catalog().partitionNames(table)).containsExactly("ds=a");
        assertThat(warehouse().resolve("db.db/t/ds=b")).doesNotExist();
        catalog().addPartitions(table, more, true);
        assertThat(catalog().partitionNames(table)).containsExactly("ds=a", "ds=b");
    }

    @Test
    default void partitionsAreChangedAndDropped() throws IOException {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "a"), partition(table, "b")), false);
        Partition before = catalog().partition(table, List.of("a")).orElseThrow();
        Partition changed =
                new Partition(before.values(), before.createTime(), 7, before.storage(), Map.of("numRows", "12"));
        catalog().alterPartitions(table, List.of(changed));
        assertThat(catalog().partition(table, List.of("a"))).contains(changed);
        Path file = CatalogUnderTest.write(before.storage().location(), "data", "x");
        catalog().dropPartitions(table, List.of(List.of("a")), DroppedFiles.TRASHED);
        assertThat(file).doesNotExist();
        assertThat(catalog().partitionNames(table)).containsExactly("ds=b");
        CatalogUnderTest.fails(
                StandardErrorCode.PARTITION_NOT_FOUND,
                () -> catalog().dropPartitions(table, List.of(List.of("a")), DroppedFiles.TRASHED));
        CatalogUnderTest.fails(
                StandardErrorCode.PARTITION_NOT_FOUND, () -> catalog().alterPartitions(table, List.of(changed)));
    }

    @Test
    default void renamedPartitionTakesItsPlaceAlong() throws IOException {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "a"), partition(table, "c")), false);
        Partition before = catalog().partition(table, List.of("a")).orElseThrow();
        CatalogUnderTest.write(before.storage().location(), "data", "x");
        catalog().putPartitionStatistics(table, Map.of("ds=a", List.of(CatalogUnderTest.longs("a", 1, 2, 3, 4))));
        before = catalog().partition(table, List.of("a")).orElseThrow();
        Partition renamed = new Partition(List.of("b"), before.createTime(), 0, before.storage(), before.properties());
        String root = table.storage().location();
        assertThat(catalog().movedFolder(table, before, List.of("b")))
                .contains(new FolderMove(root + "/ds=a", root + "/ds=b"));
        Partition taken = before;
        CatalogUnderTest.fails(
                StandardErrorCode.FILE_SYSTEM_ERROR, () -> catalog().movedFolder(table, taken, List.of("c")));
        catalog().renamePartition(table, List.of("a"), renamed);
        assertThat(catalog().partitionNames(table)).containsExactly("ds=b", "ds=c");
        assertThat(catalog()
                        .partition(table, List.of("b"))
                        .orElseThrow()
                        .storage()
                        .location())
                .isEqualTo(root + "/ds=b");
        assertThat(CatalogUnderTest.path(root + "/ds=a").resolve("data")).exists();
        assertThat(CatalogUnderTest.path(root + "/ds=b")).doesNotExist();
        assertThat(catalog().partitionStatistics(table, List.of("ds=b"), List.of("a")))
                .containsKey("ds=b");
        CatalogUnderTest.fails(
                StandardErrorCode.PARTITION_EXISTS, () -> catalog().renamePartition(table, List.of("c"), renamed));
        CatalogUnderTest.fails(
                StandardErrorCode.PARTITION_NOT_FOUND, () -> catalog().renamePartition(table, List.of("a"), renamed));
    }

    @Test
    default void thousandsOfPartitionsAreAddedAndDropped() {
        Table table = create(table("db", "big", columns("a", "int"), columns("ds", "string")));
        List<Partition> many = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            many.add(partition(table, "v" + i));
        }
        catalog().addPartitions(table, many, false);
        assertThat(catalog().partitions(table, values -> true)).hasSize(1200);
        catalog().dropTable("db", "big", DroppedFiles.TRASHED);
        assertThat(warehouse().resolve("db.db/big")).doesNotExist();
        assertThat(catalog().tables("db")).isEmpty();
    }
}
