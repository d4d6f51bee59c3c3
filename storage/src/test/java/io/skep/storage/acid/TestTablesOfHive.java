package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reads tables that Apache Hive 4.0.1 wrote, and compares with the rows that it returned. */
class TestTablesOfHive {
    private static final Path TABLES = Path.of("src/test/resources/transactional");
    private static final long LAST = 20_000_000;

    private final FormatTables tables = new FormatTables();

    private List<String> rows(String name, String... columns) {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of(), columns);
        return rows(name, table, "", TableSnapshot.of(Snapshots.transactions(LAST), Snapshots.upTo(LAST), true), true);
    }

    private List<String> rows(
            String name, TableLayout table, String partition, TableSnapshot snapshot, boolean identifiers) {
        String location = TABLES.resolve(name + partition).toAbsolutePath().toString();
        List<Split> splits = new SplitEnumerator(tables.files, 1L << 40, tables.formats)
                .splits(List.of(new SplitEnumerator.Place(
                        location, table.format(), table.dataColumns(), List.of(), Optional.of(snapshot))));
        List<Integer> ordinals = new ArrayList<>();
        if (identifiers) {
            ordinals.add(table.ordinal(VirtualColumn.ROW_ID));
        }
        for (int i = 0; i < table.dataColumns().size(); i++) {
            ordinals.add(i);
        }
        List<String> rows = new ArrayList<>();
        for (List<Datum> row : tables.read(table, splits, ordinals, List.of())) {
            StringBuilder text = new StringBuilder(name);
            for (int i = 0; i < row.size(); i++) {
                text.append('|')
                        .append(text(row.get(i), table.column(ordinals.get(i)).type()));
            }
            rows.add(text.toString());
        }
        return rows;
    }

    private static String text(Datum value, SqlType type) {
        return switch (value) {
            case Datum.Null _ -> "NULL";
            case Datum.OfLong number
            when type instanceof DecimalType decimal ->
                BigDecimal.valueOf(number.value(), decimal.scale()).toString();
            case Datum.OfLong number -> Long.toString(number.value());
            case Datum.OfList list ->
                String.join(
                        "|",
                        list.values().stream().map(field -> text(field, type)).toList());
            default -> value.toString();
        };
    }

    private static List<String> hives(String name) throws IOException {
        try (Stream<String> lines = Files.lines(TABLES.resolve("rows.txt"))) {
            return lines.filter(line -> line.startsWith(name + "|")).toList();
        }
    }

    @Test
    void updatesDeletesAndMergesOfSeveralStatements() throws IOException {
        assertThat(rows("changed", "id int", "name string", "price decimal(10,2)", "added string"))
                .containsExactlyInAnyOrderElementsOf(hives("changed"));
    }

    @Test
    void bucketedTables() throws IOException {
        assertThat(rows("bucketed", "id int", "name string")).containsExactlyInAnyOrderElementsOf(hives("bucketed"));
    }

    @Test
    void tablesThatBecameTransactional() throws IOException {
        assertThat(rows("converted", "id int", "name string")).containsExactlyInAnyOrderElementsOf(hives("converted"));
    }

    @Test
    void truncatedTablesHaveAnEmptyBase() throws IOException {
        assertThat(rows("truncated", "id int", "name string")).containsExactlyInAnyOrderElementsOf(hives("truncated"));
    }

    @Test
    void partitionsThatWereOverwritten() throws IOException {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of(), "id int");
        TableSnapshot snapshot = TableSnapshot.of(Snapshots.transactions(LAST), Snapshots.upTo(LAST), true);
        List<String> rows = new ArrayList<>();
        for (String day : List.of("/day=x", "/day=y")) {
            rows.addAll(rows("parts", table, day, snapshot, true));
        }
        assertThat(rows).containsExactlyInAnyOrderElementsOf(hives("parts"));
    }

    @Test
    void insertOnlyTables() throws IOException {
        TableFormat text = FormatTables.format("textfile", Map.of());
        TableLayout table = FormatTables.table(text, Map.of(), "id int", "name string");
        TableSnapshot snapshot = TableSnapshot.ofInsertOnly(Snapshots.transactions(LAST), Snapshots.upTo(LAST));
        assertThat(rows("inserts", table, "", snapshot, false).stream()
                        .sorted(Comparator.naturalOrder())
                        .toList())
                .isEqualTo(hives("inserts"));
    }
}
