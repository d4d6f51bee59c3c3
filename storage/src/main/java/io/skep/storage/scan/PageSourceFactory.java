package io.skep.storage.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.VectorArrays;
import io.skep.storage.table.Split;

/** Opens splits for reading: straight from files, or through a cache of column chunks. */
public interface PageSourceFactory {
    /** @param memory pays for what the page source keeps beyond one row group */
    PageSource open(ScanRequest request, Split split, MemoryPool memory);

    /**
     * @param arrays of which the source may make its vectors; taken from them by whoever calls {@link PageSource#next}
     *     and {@link SourceBatch#column}, who alone knows when they are free again
     */
    default PageSource open(ScanRequest request, Split split, MemoryPool memory, VectorArrays arrays) {
        return open(request, split, memory);
    }
}
