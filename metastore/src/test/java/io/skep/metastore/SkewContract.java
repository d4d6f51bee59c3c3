package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.table;
import static io.skep.metastore.CatalogFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.StorageDescriptor.Skew;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests frequent values of tables and partitions, and the folders that are recorded for them. */
interface SkewContract extends CatalogUnderTest {
    List<String> ONE = List.of("x", "1");
    List<String> TWO = List.of("y=/'z", "2");

    private static Skew skew(Map<List<String>, String> locations) {
        return new Skew(List.of("v", "k"), List.of(ONE, TWO), true, locations);
    }

    private Table skewed(List<FieldSchema> keys) {
        Table plain = table("db", "t", columns("k", "int", "v", "string"), keys);
        return create(plain.withStorage(plain.storage().withSkew(skew(Map.of()))));
    }

    private Skew now(String name) {
        return catalog().table("db", name).orElseThrow().storage().skew();
    }

    private Skew ofPartition(Table table) {
        return catalog().partition(table, List.of("a")).orElseThrow().storage().skew();
    }

    private Table withPartition() {
        Table table = skewed(columns("p", "string"));
        Partition added = partition(table, "a");
        catalog()
                .addPartitions(
                        table,
                        List.of(added.withStorage(added.storage()
                                .withLocation(table.storage().location() + "/p=a")
                                .withSkew(skew(
                                        Map.of(ONE, table.storage().location() + "/p=a/v=x/k=1", TWO, "file:/x"))))),
                        false);
        return table;
    }

    @Test
    default void skewComesBackAsItWasMade() {
        Table table = skewed(List.of());
        assertThat(now("t")).isEqualTo(skew(Map.of()));
        for (Map<List<String>, String> locations : List.of(
                Map.of(ONE, "file:/1", TWO, "file:/2"), Map.of(TWO, "file:/3"), Map.<List<String>, String>of())) {
            Skew changed = skew(locations);
            catalog().alterTable("db", "t", table.withStorage(table.storage().withSkew(changed)), false);
            assertThat(now("t")).isEqualTo(changed);
        }
        for (Skew changed : List.of(skew(Map.of(ONE, "file:/1")).stored(false), Skew.NONE)) {
            catalog().alterTable("db", "t", table.withStorage(table.storage().withSkew(changed)), false);
            assertThat(now("t")).isEqualTo(changed);
        }
    }

    @Test
    default void partitionsHaveTheirOwnSkew() {
        Table table = withPartition();
        assertThat(ofPartition(table).locations()).containsOnlyKeys(ONE, TWO);
        assertThat(ofPartition(table).storedAsDirectories()).isTrue();
        Partition known = catalog().partition(table, List.of("a")).orElseThrow();
        Skew changed = skew(Map.of(TWO, "file:/2"));
        catalog()
                .alterPartitions(
                        table, List.of(known.withStorage(known.storage().withSkew(changed))));
        assertThat(ofPartition(table)).isEqualTo(changed);
        assertThat(now("t")).isEqualTo(skew(Map.of()));
    }

    @Test
    default void foldersFollowARename() {
        Table table = withPartition();
        catalog().alterTable("db", "t", with(table, "db", "u", table.storage(), Map.of()), false);
        Table renamed = catalog().table("db", "u").orElseThrow();
        assertThat(ofPartition(renamed).locations())
                .isEqualTo(Map.of(ONE, renamed.storage().location() + "/p=a/v=x/k=1", TWO, "file:/x"));
    }

    @Test
    default void foldersOfMovedColumnsAreForgotten() {
        Table table = withPartition();
        alterColumns(table, columns("k", "int", "v", "string", "w", "int"));
        assertThat(ofPartition(table).locations()).hasSize(2);
        alterColumns(table, columns("v", "string", "k", "int", "w", "int"));
        assertThat(ofPartition(table)).isEqualTo(skew(Map.of()));
    }

    private void alterColumns(Table table, List<FieldSchema> columns) {
        StorageDescriptor storage = table.storage();
        StorageDescriptor changed = new StorageDescriptor(
                columns, storage.location(), storage.format(), false, -1, List.of(), List.of(), storage.skew());
        catalog().alterTable("db", "t", table.withStorage(changed), true);
    }
}
