package io.skep.storage.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.BatchListingOperations;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Lists the files of many folders in few calls, level by level, with many folders in each call. Otherwise a query over
 * a thousand partitions would call the NameNode a thousand times in sequence.
 */
final class BatchedListing {
    /** The NameNode refuses a call that lists more folders than this setting allows. */
    private static final String MAX_FOLDERS = "dfs.batched.ls.limit";

    private static final int HDFS_FOLDERS = 100;

    private final FileSystem fileSystem;
    private final BatchListingOperations batches;

    private BatchedListing(FileSystem fileSystem, BatchListingOperations batches) {
        this.fileSystem = fileSystem;
        this.batches = batches;
    }

    /** Returns empty when the file system does not support batched listing. */
    static Optional<BatchedListing> of(FileSystem fileSystem, String folder) {
        try {
            return fileSystem instanceof BatchListingOperations batches
                            && fileSystem.hasPathCapability(
                                    new Path(folder), CommonPathCapabilities.FS_EXPERIMENTAL_BATCH_LISTING)
                    ? Optional.of(new BatchedListing(fileSystem, batches))
                    : Optional.empty();
        } catch (IOException e) {
            throw FileErrors.of("cannot list", folder, e);
        }
    }

    /**
     * Returns for each folder what {@link StorageFileSystem#listFiles(String)} returns.
     *
     * @param withFolders whether to return the folders too
     */
    List<List<FileEntry>> files(List<String> folders, boolean withFolders) {
        List<List<FileEntry>> files = new ArrayList<>();
        // Maps each folder to list to the indexes of the given folders that contain it.
        Map<Path, List<Integer>> level = new LinkedHashMap<>();
        for (int i = 0; i < folders.size(); i++) {
            files.add(new ArrayList<>());
            level.computeIfAbsent(fileSystem.makeQualified(new Path(folders.get(i))), path -> new ArrayList<>())
                    .add(i);
        }
        while (!level.isEmpty()) {
            level = list(level, files, withFolders);
        }
        files.forEach(found -> found.sort(Comparator.comparing(FileEntry::path)));
        return files;
    }

    /** Adds the files of one level. Returns the level below it. */
    private Map<Path, List<Integer>> list(
            Map<Path, List<Integer>> level, List<List<FileEntry>> files, boolean withFolders) {
        Map<Path, List<Integer>> below = new LinkedHashMap<>();
        List<Path> folders = List.copyOf(level.keySet());
        int most = fileSystem.getConf().getInt(MAX_FOLDERS, HDFS_FOLDERS);
        for (int from = 0; from < folders.size(); from += most) {
            List<Path> some = folders.subList(from, Math.min(folders.size(), from + most));
            try {
                RemoteIterator<PartialListing<FileStatus>> listings = batches.batchedListStatusIterator(some);
                while (listings.hasNext()) {
                    add(listings.next(), level, files, below, withFolders);
                }
            } catch (IOException e) {
                throw FileErrors.of("cannot list", some.getFirst() + " and " + (some.size() - 1) + " more", e);
            }
        }
        return below;
    }

    private void add(
            PartialListing<FileStatus> listing,
            Map<Path, List<Integer>> level,
            List<List<FileEntry>> files,
            Map<Path, List<Integer>> below,
            boolean withFolders)
            throws IOException {
        List<Integer> above = level.getOrDefault(fileSystem.makeQualified(listing.getListedPath()), List.of());
        for (FileStatus status : entries(listing)) {
            if (StorageFileSystem.hidden(status.getPath().getName())) {
                continue;
            }
            if (status.isDirectory()) {
                below.put(status.getPath(), above);
            }
            if (!status.isDirectory() || withFolders) {
                FileEntry entry = HadoopFileSystem.entry(fileSystem, status);
                above.forEach(index -> files.get(index).add(entry));
            }
        }
    }

    private static List<FileStatus> entries(PartialListing<FileStatus> listing) throws IOException {
        try {
            return listing.get();
        } catch (FileNotFoundException e) {
            return List.of();
        }
    }
}
