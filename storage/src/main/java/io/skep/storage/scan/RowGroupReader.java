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
     * Reads columns of one row group, in batches of {@link Batch#TARGET_ROWS} rows, the last one of less, whatever the columns.
     * Whoever does not read to the end closes the batches.
     *
     * @param columns ordinals of the split's file columns; what the file does not have is null
     */
    BatchIterator read(RowGroup rowGroup, List<Integer> columns);

    /** Whether rows of the row group may match, by its statistics and indexes; true when nothing is known. */
    boolean mayMatch(RowGroup rowGroup, List<ColumnPredicate> predicates);

    /** Bytes read from the file so far. */
    long bytesRead();

    /** Lets go of what is only worth its memory while the next row groups are about to be read. Reads may go on. */
    default void rest() {}

    @Override
    void close();
}
