package io.skep.storage.scan;

import io.skep.storage.table.Split;

/** Opens the file of a split with the reader for its format. */
public interface RowGroupReaderFactory {
    RowGroupReader open(Split split);

    /** @param blocks a block store shared by the readers of the same file */
    default RowGroupReader open(Split split, BlockStore blocks) {
        return open(split);
    }
}
