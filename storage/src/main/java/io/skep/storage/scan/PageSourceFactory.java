package io.skep.storage.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.storage.table.Split;

/** Opens splits for reading: straight from files, or through a cache of column chunks. */
public interface PageSourceFactory {
    /** @param memory pays for what the page source keeps beyond one row group */
    PageSource open(ScanRequest request, Split split, MemoryPool memory);
}
