package io.skep.ql.system;

import io.skep.metastore.Table;
import io.skep.metastore.system.SystemRowStore;
import io.skep.metastore.system.SystemTable;
import io.skep.metastore.system.SystemTables;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.physical.TableLayouts;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Split;
import io.skep.storage.write.PageSinkFactory;
import java.util.List;
import java.util.Optional;

/**
 * Scans of system tables. When the files of a query are listed, the rows are read from the metastore's database and
 * written to a file, which the query's tasks read as those of any table, in each process. The file is deleted with its
 * folder.
 */
public final class SystemReads {
    private final SystemRowStore rows;
    private final PageSinkFactory sinks;
    private final TableFiles files;

    public SystemReads(SystemRowStore rows, PageSinkFactory sinks, TableFiles files) {
        this.rows = rows;
        this.sinks = sinks;
        this.files = files;
    }

    /**
     * Reads the rows that a scan asks for and the user sees.
     *
     * @param folder gets the file; the caller deletes it
     */
    public List<Split> splits(Table table, ScanRequest request, SystemReader reader, String folder) {
        SystemTable system = SystemTables.of(table);
        // The identity of files and rows may be asked for too; it is not a column.
        List<Integer> columns = request.columns().stream()
                .filter(column -> column < system.columns().size())
                .toList();
        try (SystemRowFile file =
                new SystemRowFile(TableLayouts.of(table), columns, sinks, folder + "/" + StagedRows.FILE)) {
            reader.read(system, columns, SystemConditions.of(system, request.predicates()), rows, file);
            if (file.finish().isEmpty()) {
                return List.of();
            }
        }
        Table located = table.withStorage(table.storage().withLocation(folder));
        return files.splits(located, Optional.empty(), SplitEnumerator.Seen.NOBODY);
    }
}
