package io.skep.ql.handler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.physical.TableLayouts;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.serde.HandlerTable;
import io.skep.storage.serde.StorageHandlers;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import java.time.ZoneId;
import java.util.ArrayList;
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
    private static final String FILE = "rows.orc";

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
        if (!write(described(table, layout), columns, layout, folder + "/" + FILE, zone)) {
            return List.of();
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

    /** Returns whether there are rows. Leaves no file otherwise, nor when it fails. */
    private boolean write(HandlerTable table, List<Integer> columns, TableLayout layout, String path, ZoneId zone) {
        Optional<PageSink> sink = Optional.empty();
        boolean complete = false;
        try (BatchIterator rows = handlers.read(table, columns, zone)) {
            while (rows.hasNext()) {
                if (sink.isEmpty()) {
                    sink = Optional.of(sinks.create(layout, path));
                }
                sink.get().append(whole(rows.next(), columns, layout.dataColumns()));
            }
            complete = true;
        } finally {
            if (!complete) {
                sink.ifPresent(PageSink::abort);
            }
        }
        sink.ifPresent(PageSink::finish);
        return sink.isPresent();
    }

    /** Adds the columns that are not read, as nulls. */
    private static Batch whole(Batch read, List<Integer> columns, List<Column> all) {
        List<Vector> vectors = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            int found = columns.indexOf(i);
            vectors.add(
                    found >= 0
                            ? read.columns().get(found)
                            : VectorAppender.nulls(all.get(i).type(), read.rowCount()));
        }
        return new Batch(vectors, read.rowCount());
    }
}
