package io.skep.llap.server;

import io.skep.llap.server.read.CachingPageSourceFactory;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.page.DirectPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.write.PageSinkFactory;
import java.time.InstantSource;

/**
 * How a daemon's tasks read and write tables.
 *
 * @param cached reads through the cache
 * @param direct reads files without the cache, for queries whose settings ask for that
 */
public record DaemonStorage(PageSourceFactory cached, PageSourceFactory direct, PageSinkFactory sinks) {
    /** @param readers opens files by their format; the same factory that the resources were created with */
    public static DaemonStorage of(
            DaemonResources resources,
            RowGroupReaderFactory readers,
            PageSinkFactory sinks,
            StorageFileSystem files,
            PartitionValues partitionValues) {
        return new DaemonStorage(
                new CachingPageSourceFactory(
                        resources.cache(),
                        resources.files(),
                        resources.io(),
                        files::verify,
                        partitionValues,
                        InstantSource.system()),
                new DirectPageSourceFactory(readers, files, partitionValues),
                sinks);
    }
}
