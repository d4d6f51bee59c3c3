package io.skep.storage.page;

import io.skep.storage.acid.AcidFiles;
import io.skep.storage.acid.AcidFiles.DataFile;
import io.skep.storage.acid.RowCounter;
import io.skep.storage.acid.RowCounts;
import io.skep.storage.acid.TableSnapshot;
import io.skep.storage.file.FileEntry;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.format.Splitting;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.RowGroupReaderFactory;
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
    private final RowGroupReaderFactory readers;
    private final RowCounts rowCounts;

    /** Creates an enumerator that cannot number the rows of files from before a table became transactional. */
    public SplitEnumerator(StorageFileSystem files, long splitBytes) {
        this(files, splitBytes, split -> {
            throw new IllegalStateException("no reader for " + split.file().path());
        });
    }

    /** @param readers open files whose rows must be counted */
    public SplitEnumerator(StorageFileSystem files, long splitBytes, RowGroupReaderFactory readers) {
        if (splitBytes < 1) {
            throw new IllegalArgumentException("a split of " + splitBytes + " bytes");
        }
        this.files = files;
        this.splitBytes = splitBytes;
        this.readers = readers;
        this.rowCounts = new RowCounts(readers);
    }

    /**
     * A folder of a table or partition.
     *
     * @param columns the data columns at the time when the partition was created
     * @param snapshot what is read of a transactional table; without one all files are read
     */
    public record Place(
            String location,
            TableFormat format,
            List<Column> columns,
            List<Optional<String>> partitionValues,
            Optional<TableSnapshot> snapshot) {
        public Place {
            columns = List.copyOf(columns);
            partitionValues = List.copyOf(partitionValues);
        }

        /** Creates a place of which all files are read. */
        public Place(
                String location, TableFormat format, List<Column> columns, List<Optional<String>> partitionValues) {
            this(location, format, columns, partitionValues, Optional.empty());
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
        List<List<FileEntry>> found = list(places);
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            List<FileEntry> entries = found.get(i);
            List<DataFile> data = place.snapshot()
                    .map(snapshot -> AcidFiles.of(files, place.location(), entries, snapshot, counter(place)))
                    .orElseGet(() -> plain(entries));
            seen.listed(
                    place.location(),
                    place.snapshot().isPresent()
                            ? AcidFiles.all(data, entries)
                            : data.stream().map(DataFile::entry).toList());
            Splitting splitting = FileFormats.of(place.format()).splitting();
            for (DataFile file : data) {
                cut(file, place, splitting, splits);
            }
        }
        return splits;
    }

    private RowCounter counter(Place place) {
        return file -> rowCounts.of(file.version(), place.format(), place.columns());
    }

    /** Returns the files below each place, and the folders too where the place has a snapshot. */
    private List<List<FileEntry>> list(List<Place> places) {
        boolean snapshots = places.stream().anyMatch(place -> place.snapshot().isPresent());
        List<String> locations = places.stream().map(Place::location).toList();
        return snapshots ? files.listTrees(locations) : files.listFiles(locations);
    }

    /** Whether a file stores identifiers of its rows, as those do that a transactional table has written. */
    public boolean storesRowIds(FileVersion file, TableFormat format, List<Column> columns) {
        if (file.length() == 0) {
            return false;
        }
        Split whole = new Split(file, 0, file.length(), format, columns, List.of());
        try (RowGroupReader reader = readers.open(whole)) {
            return reader.storesRowIds();
        }
    }

    /**
     * Returns the columns that a file describes.
     *
     * @throws io.skep.common.error.SkepException CORRUPT_FILE when the file is of another format
     */
    public List<Column> describedColumns(FileVersion file, TableFormat format) {
        try (RowGroupReader reader = readers.open(new Split(file, 0, file.length(), format, List.of(), List.of()))) {
            return reader.describedColumns();
        }
    }

    private static List<DataFile> plain(List<FileEntry> entries) {
        return entries.stream()
                .filter(entry -> !entry.folder())
                .map(entry -> new DataFile(entry, Optional.empty()))
                .toList();
    }

    private void cut(DataFile data, Place place, Splitting splitting, List<Split> splits) {
        FileVersion file = data.entry().version();
        long size = splittable(file, splitting) ? splitBytes : Math.max(file.length(), 1);
        for (long start = 0; start < file.length(); start += size) {
            long length = Math.min(size, file.length() - start);
            splits.add(new Split(
                    file, start, length, place.format(), place.columns(), place.partitionValues(), data.acid()));
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
