package io.skep.metastore.system;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A table of {@code sys} or {@code information_schema}.
 *
 * @param from tables of the metastore's database, as FROM names them
 * @param where a condition that all rows meet; empty for none
 * @param scope who sees a row
 */
public record SystemTable(
        String database, String name, List<SystemColumn> columns, String from, String where, RowScope scope) {
    /** The format of the files that a query reads the rows from. */
    private static final TableFormat FORMAT =
            format(FileFormats.named("orc").orElseThrow().classes());

    /** What the optimizer assumes. A count would cost a read of the metastore's database for each query. */
    private static final String ESTIMATED_ROWS = "10000";

    public SystemTable {
        columns = List.copyOf(columns);
    }

    private static TableFormat format(HiveClasses classes) {
        return new TableFormat(
                classes.inputFormat(), classes.outputFormat(), classes.serde().orElseThrow(), Map.of());
    }

    /** Returns the definition that the catalog has. The table has no files of its own. */
    public Table definition() {
        List<FieldSchema> fields = columns.stream()
                .map(column -> new FieldSchema(column.name(), column.type(), Optional.empty()))
                .toList();
        return new Table(
                Table.SYSTEM_ID,
                database,
                name,
                Table.TableKind.EXTERNAL_TABLE,
                "",
                false,
                0,
                0,
                List.of(),
                new StorageDescriptor(fields, "", FORMAT, false, -1, List.of(), List.of()),
                Map.of("numRows", ESTIMATED_ROWS),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
