package io.skep.storage.scan;

import io.skep.common.vector.Batch;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Optional;

/**
 * An open file of any format as a sequence of row groups, the unit of reading, skipping and caching. A row group is an
 * ORC row-index stride, a Parquet row group's page range, or a byte range of a text file. The cache sits between this
 * reader and page sources. The reader's layout and indexes may be kept and shared. Several threads may read at the same
 * time.
 */
public interface RowGroupReader extends AutoCloseable {
    List<RowGroup> rowGroups();

    /**
     * Reads columns of one row group in batches of a fixed number of rows. Only the last batch may have fewer. The
     * number does not depend on the columns. A caller that does not read to the end must close the batches.
     *
     * @param columns ordinals of the split's file columns; columns that the file lacks are null
     * @param batchRows at most {@link Batch#TARGET_ROWS}
     */
    BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows);

    /** Reads columns of one row group in batches of {@link Batch#TARGET_ROWS} rows. */
    default BatchIterator read(RowGroup rowGroup, List<Integer> columns) {
        return read(rowGroup, columns, Batch.TARGET_ROWS);
    }

    /**
     * Whether rows of the row group may match, by its statistics and indexes. Returns true when no statistics exist.
     */
    boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates);

    /**
     * Returns the row identifiers that the file stores for a row group, if its index shows that they are consecutive.
     */
    default Optional<ConsecutiveRowIds> rowIds(RowGroup rowGroup) {
        return Optional.empty();
    }

    /** Whether the file stores identifiers of its rows, and the table's columns in a struct beside them. */
    default boolean storesRowIds() {
        return false;
    }

    /**
     * Returns the columns that the file itself describes, whatever the split says. Empty for formats whose files
     * describe none.
     *
     * @throws io.skep.common.error.SkepException NOT_SUPPORTED when a column has a type that SQL does not have
     */
    default List<Column> describedColumns() {
        return List.of();
    }

    /**
     * Returns the file's bytes when the row group is the whole file and can only be read from its beginning, however
     * large it is. Returns 0 for other row groups.
     */
    default long wholeFileBytes(RowGroup rowGroup) {
        return 0;
    }

    /**
     * Returns approximately how many bytes of buffers a reader of some columns of a row group needs, before it returns
     * the first batch. May wait for the disk.
     *
     * @param columns ordinals of the split's file columns
     */
    default long bufferBytes(RowGroup rowGroup, List<Integer> columns) {
        return 0;
    }

    /** Returns the number of bytes read from the file so far. */
    long bytesRead();

    /**
     * Returns the approximate heap size while the reader is open. It includes footers and indexes, and may grow after a
     * read.
     */
    default long retainedBytes() {
        return 4096;
    }

    /** Returns the heap bytes that {@link #releaseBuffers} would release now. */
    default long idleBytes() {
        return 0;
    }

    /** Releases what is only worth its memory when the next row groups are read soon. Reads may continue afterwards. */
    default void releaseBuffers() {}

    @Override
    void close();
}
