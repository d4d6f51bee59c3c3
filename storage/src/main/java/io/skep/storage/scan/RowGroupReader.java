package io.skep.storage.scan;

import io.skep.common.vector.Batch;
import java.util.List;

/**
 * An open file of any format as a sequence of row groups, the unit of reading, skipping and caching: an ORC row-index
 * stride, a Parquet row group's page range, a byte range of a text file. The cache stands between it and page sources.
 * Its layout and indexes may be kept and shared; reads may come from several threads.
 */
public interface RowGroupReader extends AutoCloseable {
    List<RowGroup> rowGroups();

    /**
     * Reads columns of one row group, in batches of a number of rows, the last one of fewer, whatever the columns. A
     * caller that does not read to the end closes the batches.
     *
     * @param columns ordinals of the split's file columns; what the file does not have is null
     * @param batchRows at most {@link Batch#TARGET_ROWS}
     */
    BatchIterator read(RowGroup rowGroup, List<Integer> columns, int batchRows);

    /** Reads columns of one row group in batches of {@link Batch#TARGET_ROWS} rows. */
    default BatchIterator read(RowGroup rowGroup, List<Integer> columns) {
        return read(rowGroup, columns, Batch.TARGET_ROWS);
    }

    /** Whether rows of the row group may match, by its statistics and indexes; true when nothing is known. */
    boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates);

    /**
     * Bytes of the file where the row group is all of it, however large it is, since it can be read from its beginning
     * only; 0 for others.
     */
    default long wholeFileBytes(RowGroup rowGroup) {
        return 0;
    }

    /** Bytes read from the file so far. */
    long bytesRead();

    /**
     * Heap that it takes, about, for as long as it is open: footers and indexes, of which there may be more after a
     * read.
     */
    default long retainedBytes() {
        return 4096;
    }

    /** Lets go of what is only worth its memory while the next row groups are about to be read. Reads may go on. */
    default void rest() {}

    @Override
    void close();
}
