package io.skep.storage.write;

import io.skep.storage.table.TableLayout;

/** Creates files of a table by its format. */
public interface PageSinkFactory {
    /** @param path the file, which must not exist yet; its folder is made */
    PageSink create(TableLayout table, String path);
}
