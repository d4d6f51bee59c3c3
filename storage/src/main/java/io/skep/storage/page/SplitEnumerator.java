package io.skep.storage.page;

import io.skep.storage.file.FileEntry;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.format.Splitting;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Divides the files of a table or partition into splits. Boundaries are at fixed multiples of one size, so a part of a
 * file is the same split in every query. A row group belongs to the split that contains its offset.
 */
public final class SplitEnumerator {
    public static final long DEFAULT_SPLIT_BYTES = 32L << 20;

    private final StorageFileSystem files;
    private final long splitBytes;

    public SplitEnumerator(StorageFileSystem files, long splitBytes) {
        if (splitBytes < 1) {
            throw new IllegalArgumentException("a split of " + splitBytes + " bytes");
        }
        this.files = files;
        this.splitBytes = splitBytes;
    }

    /**
     * A folder of a table or partition.
     *
     * @param columns the data columns at the time when the partition was created
     */
    public record Place(
            String location, TableFormat format, List<Column> columns, List<Optional<String>> partitionValues) {
        public Place {
            columns = List.copyOf(columns);
            partitionValues = List.copyOf(partitionValues);
        }
    }

    /** Receives the files found below each place. */
    @FunctionalInterface
    public interface Seen {
        Seen NOBODY = (location, files) -> {};

        void listed(String location, List<FileEntry> files);
    }

    /**
     * Returns the splits of all files below each place, in the order of places. A place that does not exist has none.
     */
    public List<Split> splits(List<Place> places) {
        return splits(places, Seen.NOBODY);
    }

    /** Returns the same splits and also reports the files to a listener. */
    public List<Split> splits(List<Place> places, Seen seen) {
        List<Split> splits = new ArrayList<>();
        List<List<FileEntry>> found =
                files.listFiles(places.stream().map(Place::location).toList());
        for (int i = 0; i < places.size(); i++) {
            seen.listed(places.get(i).location(), found.get(i));
            Splitting splitting = FileFormats.of(places.get(i).format()).splitting();
            for (FileEntry file : found.get(i)) {
                cut(file.version(), places.get(i), splitting, splits);
            }
        }
        return splits;
    }

    private void cut(FileVersion file, Place place, Splitting splitting, List<Split> splits) {
        long size = splittable(file, splitting) ? splitBytes : Math.max(file.length(), 1);
        for (long start = 0; start < file.length(); start += size) {
            long length = Math.min(size, file.length() - start);
            splits.add(new Split(file, start, length, place.format(), place.columns(), place.partitionValues()));
        }
    }

    private boolean splittable(FileVersion file, Splitting splitting) {
        return switch (splitting) {
            case ALWAYS -> true;
            case UNLESS_COMPRESSED -> !files.compressed(file.path());
            case NEVER -> false;
        };
    }
}
