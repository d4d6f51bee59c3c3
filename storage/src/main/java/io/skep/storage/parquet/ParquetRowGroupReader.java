package io.skep.storage.parquet;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Parquet file. A row group is a range of rows of a Parquet row group when the pages' rows are known. Otherwise
 * it is the whole Parquet row group.
 */
public final class ParquetRowGroupReader implements RowGroupReader {
    private final List<Column> fileColumns;
    private final ParquetLayout layout;
    private final ParquetPruning pruning;

    /** @param zone the zone of this server, for timestamps that files store as instants */
    public ParquetRowGroupReader(HadoopFileSystem files, Split split, ZoneId zone) {
        this.fileColumns = split.fileColumns();
        this.layout = new ParquetLayout(files, split.file(), split.format(), zone);
        this.pruning = new ParquetPruning(layout, fileColumns);
    }

    @Override
    public List<RowGroup> rowGroups() {
        return layout.rowGroups();
    }

    @Override
    public BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows) {
        return new Rows(
                layout.range(rowGroup), columns.stream().map(fileColumns::get).toList(), batchRows);
    }

    @Override
    public boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates) {
        return predicates.isEmpty() || pruning.mayMatch(layout.range(rowGroup), predicates);
    }

    @Override
    public List<Column> describedColumns() {
        try {
            return ParquetSchema.columns(layout.schema());
        } catch (RuntimeException e) {
            throw ReadErrors.of(layout.file().path(), "schema", e);
        }
    }

    @Override
    public long bytesRead() {
        return layout.bytesRead.get();
    }

    @Override
    public long bufferBytes(RowGroup rowGroup, List<Integer> columns) {
        List<Column> wanted = columns.stream().map(fileColumns::get).toList();
        return layout.bufferBytes(layout.range(rowGroup), RangeReader.types(layout, wanted));
    }

    @Override
    public long retainedBytes() {
        return RowGroupReader.super.retainedBytes() + layout.retainedBytes();
    }

    @Override
    public void close() {}

    private final class Rows implements BatchIterator {
        private final RowRange range;
        private final List<Column> columns;
        private final int batchRows;
        private @Nullable RangeReader reader;
        private long rowsRead;

        private Rows(RowRange range, List<Column> columns, int batchRows) {
            this.range = range;
            this.batchRows = batchRows;
            this.columns = columns;
        }

        @Override
        public boolean hasNext() {
            return rowsRead < range.to() - range.from();
        }

        @Override
        public Batch next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            int rows = (int) Math.min(batchRows, range.to() - range.from() - rowsRead);
            try {
                RangeReader current = reader;
                if (current == null) {
                    current = new RangeReader(layout, range, columns);
                    reader = current;
                }
                Batch batch = current.read(rows);
                rowsRead += rows;
                if (!hasNext()) {
                    close();
                }
                return batch;
            } catch (IOException | RuntimeException e) {
                throw failed(e);
            } catch (StackOverflowError e) {
                // Damaged page headers may nest without end.
                throw failed(new IOException("a header that nests without end", e));
            }
        }

        @Override
        public long retainedBytes() {
            return reader == null ? 0 : reader.retainedBytes();
        }

        private SkepException failed(Exception cause) {
            close();
            long row = range.from() + rowsRead;
            return ReadErrors.of(layout.file().path(), "row group " + range.block() + " at row " + row, cause);
        }

        @Override
        public void close() {
            RangeReader current = reader;
            reader = null;
            if (current != null) {
                current.close();
            }
        }
    }
}
