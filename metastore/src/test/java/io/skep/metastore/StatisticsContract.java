package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.storage;
import static io.skep.metastore.CatalogFixtures.table;
import static io.skep.metastore.CatalogFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.statistics.ColumnSummarizer;
import io.skep.storage.statistics.DistinctSketch;
import io.skep.storage.statistics.Histogram;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.common.ndv.hll.HyperLogLog;
import org.junit.jupiter.api.Test;

/** Tests column statistics. */
interface StatisticsContract extends CatalogUnderTest {
    @Test
    default void statisticsOfChangedColumnsAreDropped() {
        Table table = create(table("db", "t", columns("a", "int", "b", "int"), List.of()));
        catalog()
                .putTableStatistics(
                        table,
                        List.of(CatalogUnderTest.longs("a", 0, 1, 2, 3), CatalogUnderTest.longs("b", 0, 1, 2, 3)));
        List<FieldSchema> changed = columns("a", "int", "b", "bigint");
        catalog()
                .alterTable(
                        "db",
                        "t",
                        with(table, "db", "t", storage(changed, table.storage().location()), Map.of()),
                        false);
        Table after = catalog().table("db", "t").orElseThrow();
        assertThat(catalog().tableStatistics(after, List.of("a", "b")))
                .containsExactly(CatalogUnderTest.longs("a", 0, 1, 2, 3));
    }

    @Test
    default void recordedWritesAreWhatIsReadAfterwards() {
        Table table = create(table("db", "t", columns("a", "int", "b", "int"), List.of()));
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.put("numRows", "3");
        List<ColumnStatistics> statistics = List.of(CatalogUnderTest.longs("a", 0, 1, 2, 3));
        Table recorded = catalog().recordWrite(table.withProperties(properties), statistics);
        assertThat(catalog().table("db", "t")).contains(recorded);
        assertThat(recorded.properties()).containsEntry("numRows", "3");
        assertThat(BasicStatistics.of(recorded.properties()).exactColumns()).containsExactly("a");
        assertThat(catalog().tableStatistics(recorded, List.of("a", "b"))).isEqualTo(statistics);
        properties.put("numRows", "4");
        Table again = catalog().recordWrite(table.withProperties(properties), List.of());
        assertThat(catalog().table("db", "t")).contains(again);
        assertThat(again.properties()).containsEntry("numRows", "4");
        assertThat(catalog().tableStatistics(again, List.of("a"))).isEqualTo(statistics);
        catalog().dropTable("db", "t", DroppedFiles.PURGED);
        CatalogUnderTest.fails(
                StandardErrorCode.TABLE_NOT_FOUND, () -> catalog().recordWrite(again, List.of()));
        assertThat(catalog().table("db", "t")).isEmpty();
    }

    /** Formats without column names find other values in a column whose position changed. */
    @Test
    default void statisticsOfMovedColumnsAreDropped() {
        Table table = create(table("db", "t", columns("k", "int", "a", "int", "b", "int", "c", "int"), List.of()));
        List<String> names = List.of("k", "a", "b", "c");
        catalog()
                .putTableStatistics(
                        table,
                        names.stream()
                                .map(name -> CatalogUnderTest.longs(name, 0, 1, 2, 3))
                                .toList());
        List<FieldSchema> changed = columns("k", "int", "b", "int", "a", "int", "c", "bigint");
        catalog()
                .alterTable(
                        "db",
                        "t",
                        with(table, "db", "t", storage(changed, table.storage().location()), Map.of()),
                        false);
        Table after = catalog().table("db", "t").orElseThrow();
        assertThat(catalog().tableStatistics(after, names)).containsExactly(CatalogUnderTest.longs("k", 0, 1, 2, 3));
        assertThat(BasicStatistics.of(after.properties()).exactColumns()).doesNotContain("a", "b", "c");
    }

    @Test
    default void statisticsOfAllTypesComeBack() {
        Table table = create(table(
                "db",
                "t",
                columns(
                        "l",
                        "bigint",
                        "d",
                        "double",
                        "s",
                        "string",
                        "b",
                        "boolean",
                        "m",
                        "decimal(10,2)",
                        "w",
                        "decimal(38,4)",
                        "dt",
                        "date",
                        "ts",
                        "timestamp",
                        "bin",
                        "binary",
                        "none",
                        "int"),
                List.of()));
        List<ColumnStatistics> statistics = List.of(
                CatalogUnderTest.longs("l", 3, 7, -5, 99),
                ColumnStatistics.of("d", 1, 2).withBounds(new Datum.OfDouble(-1.5), new Datum.OfDouble(2.5)),
                ColumnStatistics.of("s", 1, 2).withLengths(4.5, 9),
                ColumnStatistics.of("b", 1, 2).withBooleans(5, 6),
                ColumnStatistics.of("m", 0, 4).withBounds(new Datum.OfLong(-125), new Datum.OfLong(999)),
                ColumnStatistics.of("w", 0, 4)
                        .withBounds(
                                new Datum.OfDecimal(new BigInteger("-123456789012345678901234")),
                                new Datum.OfDecimal(new BigInteger("123456789012345678901234"))),
                ColumnStatistics.of("dt", 0, 4).withBounds(new Datum.OfLong(-10), new Datum.OfLong(18000)),
                ColumnStatistics.of("ts", 0, 4)
                        .withBounds(
                                new Datum.OfTimestamp(1_500_000_000, 0),
                                new Datum.OfTimestamp(1_600_000_000, 999_999_999)),
                ColumnStatistics.of("bin", 2, -1).withLengths(1.25, 8));
        catalog().putTableStatistics(table, statistics);
        List<String> columns = table.columns().stream().map(FieldSchema::name).toList();
        assertThat(catalog().tableStatistics(table, columns)).containsExactlyInAnyOrderElementsOf(statistics);
        assertThat(catalog().tableStatistics(table, List.of("none"))).isEmpty();
        assertThat(catalog().table("db", "t").orElseThrow().properties().get("COLUMN_STATS_ACCURATE"))
                .contains("\"l\":\"true\"");
    }

    @Test
    default void histogramsComeBackAndGo() {
        Table table = create(table(
                "db",
                "t",
                columns("l", "bigint", "d", "double", "m", "decimal(10,2)", "dt", "date", "ts", "timestamp"),
                List.of()));
        Histogram histogram = histogram();
        List<ColumnStatistics> statistics = List.of(
                bounded("l", new Datum.OfLong(1), new Datum.OfLong(3)).withHistogram(Optional.of(histogram)),
                bounded("d", new Datum.OfDouble(1), new Datum.OfDouble(3)).withHistogram(Optional.of(histogram)),
                bounded("m", new Datum.OfLong(1), new Datum.OfLong(3)).withHistogram(Optional.of(histogram)),
                bounded("dt", new Datum.OfLong(1), new Datum.OfLong(3)).withHistogram(Optional.of(histogram)),
                bounded("ts", new Datum.OfTimestamp(1, 0), new Datum.OfTimestamp(3, 999_999_999))
                        .withHistogram(Optional.of(histogram)));
        catalog().putTableStatistics(table, statistics);
        List<String> columns = table.columns().stream().map(FieldSchema::name).toList();
        assertThat(catalog().tableStatistics(table, columns)).containsExactlyInAnyOrderElementsOf(statistics);
        List<ColumnStatistics> without = statistics.stream()
                .map(one -> one.withHistogram(Optional.empty()))
                .toList();
        catalog().putTableStatistics(table, without);
        assertThat(catalog().tableStatistics(table, columns)).containsExactlyInAnyOrderElementsOf(without);
    }

    private static ColumnStatistics bounded(String column, Datum low, Datum high) {
        return ColumnStatistics.of(column, 0, 3).withBounds(low, high);
    }

    private static Histogram histogram() {
        ColumnSummarizer summarizer = ColumnSummarizer.of(PrimitiveType.INT);
        VectorAppender appender = VectorAppender.of(PrimitiveType.INT);
        for (int value = 1; value <= 3; value++) {
            appender.appendLong(value);
        }
        summarizer.add(appender.build());
        return summarizer.summary().histogram().orElseThrow();
    }

    @Test
    default void statisticsOfPartitionsComeBackByName() {
        Table table = create(table("db", "t", columns("a", "int", "s", "string"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "x"), partition(table, "y/z")), false);
        ColumnStatistics one = CatalogUnderTest.longs("a", 0, 5, 1, 9);
        ColumnStatistics text = ColumnStatistics.of("s", 0, 5).withLengths(2, 3);
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(one, text), "ds=y%2Fz", List.of(text)));
        Map<String, List<ColumnStatistics>> all =
                catalog().partitionStatistics(table, List.of("ds=x", "ds=y%2Fz"), List.of("a", "s"));
        assertThat(all).containsOnlyKeys("ds=x", "ds=y%2Fz");
        assertThat(all.get("ds=x")).containsExactlyInAnyOrder(one, text);
        assertThat(catalog().partitionStatistics(table, List.of("ds=y%2Fz"), List.of("a")))
                .isEmpty();
        ColumnStatistics newer = CatalogUnderTest.longs("a", 0, 6, 0, 9);
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(newer)));
        assertThat(catalog()
                        .partitionStatistics(table, List.of("ds=x"), List.of("a"))
                        .get("ds=x"))
                .containsExactly(newer);
    }

    private static DistinctSketch sketch(long... values) {
        HyperLogLog sketch = HyperLogLog.builder().setSizeOptimized().build();
        for (long value : values) {
            sketch.addLong(value);
        }
        return new DistinctSketch(sketch.serialize());
    }

    @Test
    default void sketchesComeBack() {
        Table table = create(table(
                "db",
                "t",
                columns(
                        "i",
                        "int",
                        "d",
                        "double",
                        "s",
                        "string",
                        "m",
                        "decimal(10,2)",
                        "dt",
                        "date",
                        "ts",
                        "timestamp"),
                List.of()));
        List<ColumnStatistics> statistics = table.columns().stream()
                .map(column -> ColumnStatistics.of(column.name(), 0, 0)
                        .withLengths(
                                column.name().equals("s") ? 0 : -1,
                                column.name().equals("s") ? 0 : -1)
                        .withSketch(Optional.of(sketch(1, 2, 3))))
                .toList();
        catalog().putTableStatistics(table, statistics);
        List<String> columns = table.columns().stream().map(FieldSchema::name).toList();
        assertThat(catalog().tableStatistics(table, columns)).containsExactlyInAnyOrderElementsOf(statistics);
        assertThat(statistics.getFirst().distinctValues()).isEqualTo(3);
    }

    @Test
    default void nothingIsLeftOfOlderBoundsAndSketches() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "x")), false);
        ColumnStatistics full = CatalogUnderTest.longs("a", 0, 5, 1, 9).withSketch(Optional.of(sketch(1, 9)));
        ColumnStatistics none = ColumnStatistics.of("a", 3, 1);
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(full)));
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(none)));
        assertThat(catalog().partitionStatistics(table, List.of("ds=x"), List.of("a")))
                .isEqualTo(Map.of("ds=x", List.of(none)));
        Table plain = create(table("db", "u", columns("a", "int"), List.of()));
        catalog().putTableStatistics(plain, List.of(full));
        catalog().putTableStatistics(plain, List.of(none));
        assertThat(catalog().tableStatistics(plain, List.of("a"))).containsExactly(none);
    }
}
