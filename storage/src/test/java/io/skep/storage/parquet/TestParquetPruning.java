package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.fixture.RandomRows;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.DatumOrder;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no row that matches is left out by statistics, page indexes, dictionaries and Bloom filters. */
class TestParquetPruning {
    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    private static boolean matches(ColumnPredicate predicate, Datum value) {
        return switch (predicate) {
            case ColumnPredicate.IsNull _ -> value.isNull();
            case ColumnPredicate.IsNotNull _ -> !value.isNull();
            case ColumnPredicate.In in -> in.values().contains(value);
            case ColumnPredicate.Range range -> !value.isNull() && inRange(range, value);
        };
    }

    private static boolean inRange(ColumnPredicate.Range range, Datum value) {
        return range.low().map(low -> above(value, low, range.lowInclusive())).orElse(true)
                && range.high()
                        .map(high -> above(high, value, range.highInclusive()))
                        .orElse(true);
    }

    private static boolean above(Datum value, Datum bound, boolean inclusive) {
        OptionalInt order = DatumOrder.compare(value, bound);
        return order.isPresent() && (order.getAsInt() > 0 || order.getAsInt() == 0 && inclusive);
    }

    private static ColumnPredicate predicate(Random random, List<Datum> values) {
        Datum one = values.get(random.nextInt(values.size()));
        Datum other = values.get(random.nextInt(values.size()));
        if (one.isNull() || other.isNull()) {
            return random.nextBoolean() ? new ColumnPredicate.IsNull(0) : new ColumnPredicate.IsNotNull(0);
        }
        OptionalInt order = DatumOrder.compare(one, other);
        Datum low = order.orElse(0) <= 0 ? one : other;
        Datum high = order.orElse(0) <= 0 ? other : one;
        return switch (random.nextInt(4)) {
            case 0 -> new ColumnPredicate.In(0, List.of(one, other));
            case 1 -> new ColumnPredicate.In(0, List.of(one));
            case 2 -> new ColumnPredicate.Range(0, Optional.of(low), random.nextBoolean(), Optional.empty(), false);
            default ->
                new ColumnPredicate.Range(
                        0, Optional.of(low), random.nextBoolean(), Optional.of(high), random.nextBoolean());
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "boolean",
                "tinyint",
                "smallint",
                "int",
                "bigint",
                "float",
                "double",
                "string",
                "binary",
                "date",
                "timestamp",
                "decimal(10,2)",
                "decimal(38,10)",
                "char(10)",
                "varchar(20)"
            })
    void everyMatchingRowIsRead(String type) {
        TableLayout table = FormatTables.table(
                FormatTables.PARQUET,
                Map.of("parquet.page.row.count.limit", "100", "parquet.bloom.filter.enabled", "true"),
                "c " + type,
                "n int");
        SqlType of = table.dataColumns().getFirst().type();
        for (int seed = 0; seed < 2; seed++) {
            List<Datum> values = new ArrayList<>();
            RandomRows random = new RandomRows(seed);
            for (int i = 0; i < 600; i++) {
                values.add(random.value(of));
            }
            // Some files are sorted, so that pages have narrow bounds.
            if (seed % 2 == 0) {
                values.sort((left, right) -> left.isNull() || right.isNull()
                        ? Boolean.compare(left.isNull(), right.isNull())
                        : DatumOrder.compare(left, right).orElse(0));
            }
            check(table, seed, values);
        }
    }

    private void check(TableLayout table, int seed, List<Datum> values) {
        String path = folder.resolve("seed" + seed) + "/f";
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            rows.add(List.of(values.get(i), new Datum.OfLong(i)));
        }
        tables.write(table, path, rows);
        List<Split> splits = tables.splits(table, path, List.of());
        Random random = new Random(seed);
        for (int i = 0; i < 25; i++) {
            ColumnPredicate predicate = predicate(random, values);
            List<List<Datum>> read = tables.read(table, splits, List.of(0, 1), List.of(predicate));
            List<List<Datum>> wanted = rows.stream()
                    .filter(row -> matches(predicate, row.getFirst()))
                    .toList();
            assertThat(read).as("seed %s, %s", seed, predicate).containsAll(wanted);
        }
    }

    private List<Split> written(String schema, TableLayout table, List<Long> values) throws IOException {
        MessageType message = MessageTypeParser.parseMessageType("message m { " + schema + "; }");
        org.apache.hadoop.fs.Path path =
                new org.apache.hadoop.fs.Path(folder.resolve("other/f").toUri());
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(path)
                .withConf(new Configuration())
                .withType(message)
                .build()) {
            SimpleGroupFactory groups = new SimpleGroupFactory(message);
            for (Long value : values) {
                writer.write(groups.newGroup().append("c", value));
            }
        }
        return tables.splits(table, folder.resolve("other").toString(), List.of());
    }

    /** Statistics of unsigned numbers have another order than the signed numbers that are read. */
    @Test
    void unsignedNumbersAreNotComparedAsSigned() throws IOException {
        TableLayout table = FormatTables.table(FormatTables.PARQUET, Map.of(), "c bigint");
        List<Split> splits =
                written("required int64 c (INTEGER(64,false))", table, List.of(1L, 5L, Long.MIN_VALUE + 1));
        ColumnPredicate five = new ColumnPredicate.In(0, List.of(new Datum.OfLong(5)));
        assertThat(tables.read(table, splits, List.of(0), List.of(five))).contains(List.of(new Datum.OfLong(5)));
    }

    /** In Newfoundland the clock went back at one minute past midnight, so that a later instant had an earlier date. */
    @Test
    void datesOfInstantsAreNotComparedWhereClocksGoBack() throws IOException {
        TableLayout table = FormatTables.table(FormatTables.PARQUET, Map.of(), "c date");
        long midnight = Instant.parse("2010-11-07T02:30:30Z").toEpochMilli();
        long later = Instant.parse("2010-11-07T02:40:00Z").toEpochMilli();
        Split split = written("required int64 c (TIMESTAMP(MILLIS,true))", table, List.of(midnight, later))
                .getFirst();
        Datum date = new Datum.OfLong(LocalDate.of(2010, 11, 7).toEpochDay());
        try (RowGroupReader reader = new ParquetRowGroupReader(tables.files, split, ZoneId.of("America/St_Johns"))) {
            assertThat(reader.mayMatch(
                            reader.rowGroups().getFirst(), List.of(new ColumnPredicate.In(0, List.of(date)))))
                    .isTrue();
        }
    }

    @Test
    void aMissingColumnIsNull() {
        TableLayout written = FormatTables.table(FormatTables.PARQUET, Map.of(), "c int");
        tables.write(written, folder + "/missing/f", List.of(List.of(new Datum.OfLong(1))));
        TableLayout table = FormatTables.table(FormatTables.PARQUET, Map.of(), "d int");
        List<Split> splits = tables.splits(table, folder + "/missing", List.of());
        assertThat(tables.read(table, splits, List.of(0), List.of(new ColumnPredicate.IsNull(0))))
                .containsExactly(List.of(Datum.NULL));
        assertThat(tables.read(table, splits, List.of(0), List.of(new ColumnPredicate.IsNotNull(0))))
                .isEmpty();
    }

    /** Values that the wanted type cannot hold are read as null, which the file's statistics do not know. */
    @Test
    void valuesThatDoNotFitAreNull() {
        TableLayout written = FormatTables.table(FormatTables.PARQUET, Map.of(), "c bigint");
        tables.write(
                written,
                folder + "/wide/f",
                List.of(List.of(new Datum.OfLong(7)), List.of(new Datum.OfLong(5_000_000_000L))));
        TableLayout table = FormatTables.table(FormatTables.PARQUET, Map.of(), "c int");
        List<Split> splits = tables.splits(table, folder + "/wide", List.of());
        assertThat(tables.read(table, splits, List.of(0), List.of(new ColumnPredicate.IsNull(0))))
                .contains(List.of(Datum.NULL));
        ColumnPredicate seven = new ColumnPredicate.In(0, List.of(new Datum.OfLong(7)));
        assertThat(tables.read(table, splits, List.of(0), List.of(seven))).contains(List.of(new Datum.OfLong(7)));
    }
}
