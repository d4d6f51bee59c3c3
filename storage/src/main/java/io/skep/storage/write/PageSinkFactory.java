package io.skep.storage.write;

import io.skep.storage.table.TableLayout;

/** Creates files of a table in its format. */
public interface PageSinkFactory {
    /** @param path the file, which must not exist yet; its folder is created */
    PageSink create(TableLayout table, String path);

    /**
     * Returns the approximate heap that a file uses until its first rows, when it is large. Formats keep buffers for
     * each column.
     */
    default long firstBytes(TableLayout table) {
        return 0;
    }
}
