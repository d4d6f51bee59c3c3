package io.skep.storage.compaction;

import io.skep.storage.acid.AcidFiles.DataFile;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Copies the rows of an insert-only table's files into few files. Rows stay in the bucket that the names of their files
 * contain, and in the order of the files.
 */
final class PlainMerge {
    /** A new file begins after input of this size, so that a large partition stays several files. */
    private static final long FILE_BYTES = 256L << 20;

    private final CompactionFiles io;
    private final CompactedPlace place;

    PlainMerge(CompactionFiles io, CompactedPlace place) {
        this.io = io;
        this.place = place;
    }

    /** Writes all rows of files below a folder, which exists afterwards. */
    void write(List<DataFile> files, String folder) {
        io.files().makeFolder(folder);
        Map<Integer, List<FileVersion>> buckets = new TreeMap<>();
        for (DataFile file : files) {
            if (file.entry().version().length() > 0) {
                buckets.computeIfAbsent(file.bucket().orElse(0), _ -> new ArrayList<>())
                        .add(file.entry().version());
            }
        }
        buckets.forEach((bucket, inputs) -> {
            int number = 0;
            for (List<FileVersion> some : parts(inputs)) {
                writeFile(some, folder + "/" + name(bucket, number++));
            }
        });
        io.files().force(folder);
    }

    private static String name(int bucket, int number) {
        String first = String.format(Locale.ROOT, "%06d_0", bucket);
        return number == 0 ? first : first + "_copy_" + number;
    }

    private static List<List<FileVersion>> parts(List<FileVersion> files) {
        List<List<FileVersion>> parts = new ArrayList<>();
        List<FileVersion> part = new ArrayList<>();
        long bytes = 0;
        for (FileVersion file : files) {
            part.add(file);
            bytes += file.length();
            if (bytes >= FILE_BYTES) {
                parts.add(List.copyOf(part));
                part.clear();
                bytes = 0;
            }
        }
        if (!part.isEmpty()) {
            parts.add(List.copyOf(part));
        }
        return parts;
    }

    private void writeFile(List<FileVersion> files, String path) {
        try (MergedFile output = new MergedFile(io.memory(), () -> io.sinks().create(place.table(), path))) {
            files.forEach(file -> copy(file, output));
            if (output.finish()) {
                io.files().force(path);
            }
        }
    }

    private void copy(FileVersion file, MergedFile output) {
        Split whole = new Split(file, 0, file.length(), place.readFormat(), place.fileColumns(), List.of());
        List<Integer> columns = CompactedRows.dataColumns(place);
        CompactedRows.read(
                io, place, whole, columns, batch -> output.append(CompactedRows.data(batch, columns.size())));
    }
}
