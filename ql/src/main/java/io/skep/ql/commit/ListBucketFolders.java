package io.skep.ql.commit;

import io.skep.metastore.ListBuckets;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.StorageDescriptor.Skew;
import java.util.List;

/** The folders of list buckets as they are on the file system. */
public final class ListBucketFolders {
    private ListBucketFolders() {}

    /**
     * Returns a descriptor with the folders of its frequent values that have files. One without list buckets stays as
     * it is.
     */
    public static StorageDescriptor located(StorageDescriptor storage, TableFiles files) {
        Skew skew = storage.skew();
        if (!skew.isListBucketed()) {
            return storage;
        }
        String location = storage.location();
        List<TableFiles.TableFile> found = files.exists(location) ? files.files(location) : List.of();
        List<String> paths = found.stream().map(TableFiles.TableFile::path).toList();
        return storage.withSkew(skew.withLocations(ListBuckets.locations(skew, location, paths)));
    }

    /**
     * Deletes the empty folders of list buckets, which files have left. A folder that is not empty stays.
     *
     * @param storage that of a partition, or of a table without partitions
     */
    public static void removeEmpty(StorageDescriptor storage, TableFiles files) {
        if (storage.skew().isListBucketed() && files.exists(storage.location())) {
            removeEmpty(storage.location(), storage.skew().columns().size(), files);
        }
    }

    private static void removeEmpty(String location, int levels, TableFiles files) {
        if (levels > 0) {
            for (String folder : files.folders(location)) {
                removeEmpty(folder, levels - 1, files);
                files.deleteEmpty(folder);
            }
        }
    }
}
