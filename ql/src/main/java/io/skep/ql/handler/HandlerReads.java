package io.skep.ql.handler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.system.StagedRows;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.serde.HandlerTable;
import io.skep.storage.serde.StorageHandlers;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSinkFactory;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Scans of tables of storage handlers. When the files of a query are listed, the rows are read through the handler and
 * written to a file, which the query's tasks read as those of any table, in each process. The file is deleted with its
 * folder.
 */
public final class HandlerReads {
    private final StorageHandlers handlers;
    private final PageSinkFactory sinks;
    private final TableFiles files;

    public HandlerReads(FormatRegistry formats, TableFiles files) {
        this.handlers = formats.storageHandlers();
        this.sinks = formats;
        this.files = files;
    }

    /**
     * Returns the class of the SerDe of a handler's rows.
     *
     * @throws SkepException SEMANTIC_ERROR when there is no such handler
     */
    public String serde(String handler) {
        return handlers.serde(handler);
    }

    /**
     * Reads the rows that a scan asks for.
     *
     * @param table a table as queries see it, without partitions
     * @param folder gets the file; the caller deletes it
     * @param zone the time zone of the session
     */
    public List<Split> splits(Table table, ScanRequest request, String folder, ZoneId zone) {
        if (!table.partitionKeys().isEmpty()) {
            throw new SkepException(
                    StandardErrorCode.NOT_SUPPORTED,
                    table.qualifiedName() + " has partitions, which are not supported for storage handlers");
        }
        TableLayout layout = TableLayouts.of(table);
        // The identity of files and rows may be asked for too; it is not a column.
        List<Integer> columns = request.columns().stream()
                .filter(column -> column < layout.dataColumns().size())
                .toList();
        try (StagedRows file = new StagedRows(layout, columns, sinks, folder + "/" + StagedRows.FILE)) {
            try (BatchIterator rows = handlers.read(described(table, layout), columns, zone)) {
                rows.forEachRemaining(file::append);
            }
            if (file.finish().isEmpty()) {
                return List.of();
            }
        }
        return files.splits(TableLayouts.located(table, folder), Optional.empty(), SplitEnumerator.Seen.NOBODY);
    }

    private static HandlerTable described(Table table, TableLayout layout) {
        Map<String, String> properties = new HashMap<>(table.properties());
        properties.putAll(table.storage().format().properties());
        return new HandlerTable(
                table.qualifiedName(),
                table.storageHandler().orElseThrow(),
                table.storage().location(),
                layout.dataColumns(),
                properties);
    }
}
