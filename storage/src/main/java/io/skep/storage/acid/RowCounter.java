package io.skep.storage.acid;

import io.skep.storage.file.FileEntry;

/** Counts the rows of files, for the row ids of files that were written without them. */
@FunctionalInterface
public interface RowCounter {
    /** Returns the number of rows of a file, from its footer. */
    long rows(FileEntry file);
}
