package io.skep.storage.write;

import io.skep.storage.table.TableLayout;

/** Creates files of a table by its format. */
public interface PageSinkFactory {
    /** @param path the file, which must not exist yet; its folder is made */
    PageSink create(TableLayout table, String path);

    /**
     * Heap that a file takes from its begin to the first rows, about, where that is much: formats keep buffers for each
     * column.
     */
    default long firstBytes(TableLayout table) {
        return 0;
    }
}
