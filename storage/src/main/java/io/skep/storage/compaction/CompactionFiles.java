package io.skep.storage.compaction;

import io.skep.common.memory.MemoryPool;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.write.PageSinkFactory;

/**
 * What compactions read and write files with.
 *
 * @param memory accounts for what writers keep in memory, and for delete events
 */
public record CompactionFiles(
        StorageFileSystem files,
        RowGroupReaderFactory readers,
        PageSourceFactory sources,
        PageSinkFactory sinks,
        MemoryPool memory) {}
