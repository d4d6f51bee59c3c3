package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.Database;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TestWarehouseLayout {
    private final WarehouseLayout layout = new WarehouseLayout("file:/managed", "hdfs://n/external/");

    private static Database database(String name, String location, Optional<String> managed) {
        return new Database(name, Optional.empty(), location, managed, "a", false, Map.of());
    }

    @Test
    void databasesLieInTheExternalWarehouse() {
        assertThat(layout.databaseLocation("default")).isEqualTo("hdfs://n/external");
        assertThat(layout.databaseLocation("sales")).isEqualTo("hdfs://n/external/sales.db");
    }

    @Test
    void managedTablesLieApartFromExternalOnes() {
        Database sales = database("sales", "s3a://b/sales/", Optional.empty());
        assertThat(layout.tableLocation(sales, "t", false)).isEqualTo("file:/managed/sales.db/t");
        assertThat(layout.tableLocation(sales, "t", true)).isEqualTo("s3a://b/sales/t");
        Database told = database("sales", "s3a://b/sales", Optional.of("s3a://b/managed"));
        assertThat(layout.tableLocation(told, "t", false)).isEqualTo("s3a://b/managed/t");
    }

    @Test
    void namesThatAreNoFileNamesAreEscaped() {
        Database standard = database("default", "file:/managed", Optional.empty());
        assertThat(layout.tableLocation(standard, "a/b", false)).isEqualTo("file:/managed/a-47-b");
    }

    @Test
    void locationsAreComparedAsFolders() {
        assertThat(WarehouseLayout.same("file:/a/b/", "file:///a/b")).isTrue();
        assertThat(WarehouseLayout.same("/a/b", "file:/a/b")).isTrue();
        assertThat(WarehouseLayout.isBelow("file:/a/b/c", "file:/a/b")).isTrue();
        assertThat(WarehouseLayout.isBelow("file:/a/bc", "file:/a/b")).isFalse();
    }
}
