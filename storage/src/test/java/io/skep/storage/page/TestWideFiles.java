package io.skep.storage.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.fixture.RandomRows;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files of many columns, whose batches have fewer rows than usual. */
final class TestWideFiles {
    private static final List<String> TYPES = List.of("int", "double", "string", "bigint", "decimal(10,2)");
    private static final int COLUMNS = 600;
    private static final int ROWS = 1_100;

    @TempDir
    private Path folder;

    private final FormatTables tables = new FormatTables();

    @Test
    void orc() {
        assertComesBack(FormatTables.ORC);
    }

    @Test
    void parquet() {
        assertComesBack(FormatTables.PARQUET);
    }

    @Test
    void text() {
        assertComesBack(FormatTables.text("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", Map.of()));
    }

    private void assertComesBack(TableFormat format) {
        TableLayout table = FormatTables.table(
                format,
                Map.of(),
                IntStream.range(0, COLUMNS)
                        .mapToObj(i -> "c" + i + " " + TYPES.get(i % TYPES.size()))
                        .toArray(String[]::new));
        List<List<Datum>> rows = new RandomRows(7).rows(FormatTables.types(table), ROWS);
        tables.write(table, folder + "/f", rows);
        assertThat(tables.read(table, folder.toString()).equals(rows)).isTrue();
        List<Split> splits = tables.splits(table, folder.toString(), List.of());
        // A predicate's column is read in a separate pass. The other columns are read in batches of the same number of
        // rows.
        List<ColumnPredicate> some =
                List.of(new ColumnPredicate.Range(0, Optional.empty(), true, Optional.of(new Datum.OfLong(0)), true));
        assertThat(tables.read(
                                table,
                                splits,
                                IntStream.range(0, COLUMNS).boxed().toList(),
                                some)
                        .equals(rows))
                .isTrue();
    }
}
