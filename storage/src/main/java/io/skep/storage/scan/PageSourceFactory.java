package io.skep.storage.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.VectorArrays;
import io.skep.storage.table.Split;

/** Opens splits for reading, directly from files or through a cache of column chunks. */
public interface PageSourceFactory {
    /** @param memory accounts for what the page source keeps beyond one row group */
    PageSource open(ScanRequest request, Split split, MemoryPool memory);

    /**
     * @param arrays supplies arrays for the source's vectors. It is used only during {@link PageSource#next} and
     *     {@link SourceBatch#column}, whose caller alone knows when the arrays are free again
     */
    default PageSource open(ScanRequest request, Split split, MemoryPool memory, VectorArrays arrays) {
        return open(request, split, memory);
    }
}
