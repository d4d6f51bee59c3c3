package io.skep.metastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.StorageDescriptor.Skew;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestListBuckets {
    private static final Skew SKEW = new Skew(
            List.of("k", "v"), List.of(List.of("1", "x"), List.of("2", "a/b"), List.of("3", "")), true, Map.of());

    @Test
    void foldersAreNamedAsPartitions() {
        assertThat(ListBuckets.folders(SKEW))
                .containsExactly(
                        "k=1/v=x",
                        "k=2/v=a%2Fb",
                        "k=3/v=__HIVE_DEFAULT_PARTITION__",
                        "HIVE_DEFAULT_LIST_BUCKETING_DIR_NAME/HIVE_DEFAULT_LIST_BUCKETING_DIR_NAME");
    }

    @Test
    void foldersWithFilesAreRecorded() {
        assertThat(ListBuckets.locations(
                        SKEW,
                        "file:/t",
                        List.of("file:/t/k=1/v=x/f", "file:/t/k=1/v=x/g", "file:/t/k=2/v=a%2Fbc/f", "file:/t/k=2/f")))
                .isEqualTo(Map.of(List.of("1", "x"), "file:/t/k=1/v=x"));
        assertThat(ListBuckets.locations(SKEW, "file:/t", List.of("file:/t/k=3/v=__HIVE_DEFAULT_PARTITION__/f")))
                .containsOnlyKeys(List.of("3", "__HIVE_DEFAULT_PARTITION__"));
        assertThat(ListBuckets.locations(SKEW, "file:/t", List.of("file:/u/k=1/v=x/f", "file:/t/f")))
                .isEmpty();
    }

    @Test
    void foldersAreForgottenWithTheirPlace() {
        Map<List<String>, String> locations = Map.of(List.of("1", "x"), "file:/t/k=1/v=x");
        Skew known = SKEW.withLocations(locations);
        List<FieldSchema> before = CatalogFixtures.columns("k", "int", "v", "string", "w", "int");
        assertThat(known.after(before, CatalogFixtures.columns("k", "int", "v", "string"))
                        .locations())
                .isEqualTo(locations);
        assertThat(known.after(before, CatalogFixtures.columns("k", "bigint", "v", "string"))
                        .locations())
                .isEmpty();
        assertThat(known.after(before, CatalogFixtures.columns("v", "string", "k", "int"))
                        .locations())
                .isEmpty();
        StorageDescriptor storage = CatalogFixtures.storage(before, "file:/t").withSkew(known);
        assertThat(storage.withLocation("file:/t").skew()).isEqualTo(known);
        assertThat(storage.withLocation("file:/u").skew()).isEqualTo(SKEW);
    }
}
