package io.skep.storage.page;

import io.skep.common.memory.MemoryPool;
import io.skep.storage.acid.DeleteSets;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Split;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens splits directly from their files, without a cache. */
public final class DirectPageSourceFactory implements PageSourceFactory {
    private final RowGroupReaderFactory readers;
    private final StorageFileSystem files;
    private final PartitionValues partitionValues;
    private final DeleteSets deletes;

    public DirectPageSourceFactory(
            RowGroupReaderFactory readers, StorageFileSystem files, PartitionValues partitionValues) {
        this.readers = readers;
        this.files = files;
        this.partitionValues = partitionValues;
        this.deletes = new DeleteSets(this::read, InstantSource.system());
    }

    private void read(Split split, Consumer<RowGroupReader> user) {
        try (RowGroupReader reader = readers.open(split)) {
            user.accept(reader);
        }
        files.verify(split.file());
    }

    @Override
    public PageSource open(ScanRequest request, Split split, MemoryPool memory) {
        ColumnMapping mapping = ColumnMapping.of(request, split, partitionValues, deletes, memory);
        return new RowGroupPageSource(
                mapping, new ReaderChunkSource(mapping, readers.open(mapping.fileSplit()), files));
    }
}
