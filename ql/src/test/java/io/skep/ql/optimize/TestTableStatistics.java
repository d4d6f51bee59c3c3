package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Catalog;
import io.skep.metastore.ColumnStatistics;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the estimated content of a partitioned table, from the statistics of all partitions or of a sample. */
final class TestTableStatistics {
    private static final int PARTITIONS = 40;
    private static final int ROWS = 1_000;
    private static final TableFormat TEXT = new TableFormat(
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            "org.apache.hadoop.mapred.TextInputFormat",
            "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
            Map.of());

    private final TestingMetastore metastore = TestingMetastore.open();
    private final Catalog catalog = metastore.catalog();

    /**
     * Creates partitions. Partition i has ROWS keys of its own, starting at ROWS * i, and 10 kinds that all partitions
     * share. A tenth of the kinds is NULL.
     */
    @BeforeEach
    void create() {
        StorageDescriptor storage = new StorageDescriptor(
                List.of(
                        new FieldSchema("k", PrimitiveType.BIGINT, Optional.empty()),
                        new FieldSchema("kind", PrimitiveType.BIGINT, Optional.empty())),
                "",
                TEXT,
                false,
                -1,
                List.of(),
                List.of(),
                StorageDescriptor.Skew.NONE);
        catalog.createTable(new Table(
                Table.NO_ID,
                "default",
                "t",
                Table.TableKind.MANAGED_TABLE,
                "test",
                false,
                0,
                0,
                List.of(new FieldSchema("p", PrimitiveType.STRING, Optional.empty())),
                storage,
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        Table table = table();
        List<Partition> partitions = new ArrayList<>();
        Map<String, List<ColumnStatistics>> statistics = new HashMap<>();
        for (int i = 0; i < PARTITIONS; i++) {
            List<String> values = List.of(String.format("%03d", i));
            Map<String, String> properties = Map.of("numRows", Integer.toString(ROWS));
            partitions.add(new Partition(values, 0, 0, storage, properties));
            long first = (long) ROWS * i;
            statistics.put(
                    PartitionName.of(table, values),
                    List.of(numbers("k", 0, ROWS, first, first + ROWS - 1), numbers("kind", ROWS / 10, 10, 0, 9)));
        }
        catalog.addPartitions(table, partitions, false);
        catalog.putPartitionStatistics(table, statistics);
    }

    private static ColumnStatistics numbers(String column, long nulls, long different, long low, long high) {
        return ColumnStatistics.of(column, nulls, different).withBounds(new Datum.OfLong(low), new Datum.OfLong(high));
    }

    @AfterEach
    void close() {
        metastore.close();
    }

    private Table table() {
        return catalog.table("default", "t").orElseThrow();
    }

    @Test
    void allPartitions() {
        assertFigures(new TableStatistics(catalog));
    }

    @Test
    void aSampleStandsForAll() {
        assertFigures(new TableStatistics(catalog, 7));
    }

    private void assertFigures(TableStatistics statistics) {
        Table table = table();
        assertThat(statistics.rows(table)).isCloseTo(PARTITIONS * ROWS, within(1.0));
        ColumnStatistics keys = statistics.column(table, 0).orElseThrow();
        assertThat((double) keys.distinctValues()).isCloseTo(PARTITIONS * ROWS, within(0.1 * PARTITIONS * ROWS));
        assertThat(keys.low()).contains(new Datum.OfLong(0));
        assertThat(keys.high()).contains(new Datum.OfLong(PARTITIONS * ROWS - 1L));
        ColumnStatistics kinds = statistics.column(table, 1).orElseThrow();
        assertThat(kinds.distinctValues()).isEqualTo(10);
        assertThat(kinds.nullCount()).isEqualTo(PARTITIONS * ROWS / 10);
        assertThat(statistics.column(table, 2).orElseThrow().distinctValues()).isEqualTo(PARTITIONS);
    }
}
