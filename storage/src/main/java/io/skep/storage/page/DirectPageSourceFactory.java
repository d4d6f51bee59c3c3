package io.skep.storage.page;

import io.skep.common.memory.MemoryPool;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Split;

/** Opens splits directly from their files, without a cache. */
public final class DirectPageSourceFactory implements PageSourceFactory {
    private final RowGroupReaderFactory readers;
    private final StorageFileSystem files;
    private final PartitionValues partitionValues;

    public DirectPageSourceFactory(
            RowGroupReaderFactory readers, StorageFileSystem files, PartitionValues partitionValues) {
        this.readers = readers;
        this.files = files;
        this.partitionValues = partitionValues;
    }

    @Override
    public PageSource open(ScanRequest request, Split split, MemoryPool memory) {
        ColumnMapping mapping = ColumnMapping.of(request, split, partitionValues);
        return new RowGroupPageSource(
                mapping, new ReaderChunkSource(mapping, readers.open(mapping.fileSplit()), files));
    }
}
