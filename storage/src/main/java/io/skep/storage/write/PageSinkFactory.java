package io.skep.storage.write;

import io.skep.storage.acid.AcidWrite;
import io.skep.storage.table.TableLayout;

/** Creates files of a table in its format. */
public interface PageSinkFactory {
    /** @param path the file, which must not exist yet; its folder is created */
    PageSink create(TableLayout table, String path);

    /**
     * Creates a file of a transactional table with row identifiers. Rows of an insert have the table's data columns.
     * Rows of a delete have one column, {@link io.skep.storage.table.VirtualColumn#ROW_ID}, by which they are
     * sorted.
     *
     * @param path the file, which must not exist yet; its folder is created
     * @param bucket the bucket, or the number of the writer in a table without buckets; for deletes that of the rows
     */
    default PageSink create(TableLayout table, String path, AcidWrite write, int bucket) {
        throw new UnsupportedOperationException("rows of " + path + " with identifiers");
    }

    /**
     * Creates a file of a transactional table whose rows come with their identifiers, by which they are sorted.
     * Inserted rows have the table's data columns and {@link io.skep.storage.table.VirtualColumn#ROW_ID}. Deletes have
     * two columns, that one and the write id of the deletion.
     *
     * @param path the file, which must not exist yet; its folder is created
     */
    default PageSink createMerged(TableLayout table, String path, boolean deletes) {
        throw new UnsupportedOperationException("rows of " + path + " with identifiers");
    }

    /**
     * Returns the approximate heap that a file uses until its first rows, when it is large. Formats keep buffers for
     * each column.
     */
    default long firstBytes(TableLayout table) {
        return 0;
    }
}
