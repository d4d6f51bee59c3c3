package io.skep.storage.compaction;

import io.skep.common.vector.Batch;
import io.skep.storage.acid.AcidFiles;
import io.skep.storage.acid.AcidFiles.DataFile;
import io.skep.storage.acid.AcidFolder;
import io.skep.storage.acid.AcidVersionFile;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.acid.RowCounts;
import io.skep.storage.file.FileEntry;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.VirtualColumn;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the base of a rebalance, below a staging folder: all rows, in files of equal numbers of rows, and with new
 * identifiers of one write id. Identifiers of before name no row any more. A caller makes the folder visible. Owned by
 * one thread.
 */
public final class PartitionRebalance {
    /** Passes rows on in some order. */
    @FunctionalInterface
    public interface Ordering {
        /**
         * @param rows passes all rows to what it is given, in batches that are valid during the call
         * @param target takes all rows, in batches that are valid during the call
         */
        void pass(Consumer<Consumer<Batch>> rows, Consumer<Batch> target);
    }

    private final CompactionFiles io;
    private final CompactedPlace place;
    private final PartitionState partition;
    private final AcidWrite write;
    private final AcidFolder base;
    private final String staging;
    private final List<DataFile> files;

    /**
     * @param snapshot up to the write id, without open ones
     * @param writeId the write id of the rebalance
     * @param transaction the transaction of the rebalance
     * @param staging a folder for files, on the file system of the place
     */
    public PartitionRebalance(
            CompactionFiles io,
            CompactedPlace place,
            CompactorSnapshot snapshot,
            PartitionState partition,
            long writeId,
            long transaction,
            String staging) {
        this.io = io;
        this.place = place;
        this.partition = partition;
        this.write = new AcidWrite(AcidWrite.Kind.OVERWRITE, writeId, 0);
        this.base = AcidFolder.ofCompactedBase(writeId, transaction);
        this.staging = staging;
        this.files = files(snapshot);
    }

    /** Returns the files with rows, in the order of their names. */
    private List<DataFile> files(CompactorSnapshot snapshot) {
        RowCounts counts = new RowCounts(io.readers());
        return AcidFiles.of(
                        io.files(),
                        place.location(),
                        partition.tree(),
                        snapshot.ofTable(false),
                        file -> counts.of(file.version(), place.readFormat(), place.fileColumns()))
                .stream()
                .filter(file -> file.entry().version().length() > 0)
                .sorted(Comparator.comparing(file -> file.entry().path()))
                .toList();
    }

    /** Returns the number of buckets that the names of the files have, at least one. */
    public int buckets() {
        return Math.max(1, (int) partition.tree().stream()
                .filter(entry -> !entry.folder())
                .map(PartitionRebalance::bucket)
                .filter(OptionalInt::isPresent)
                .distinct()
                .count());
    }

    private static OptionalInt bucket(FileEntry file) {
        return new DataFile(file, Optional.empty()).bucket();
    }

    /**
     * Writes the base. The last files have fewer rows than others, or are left out, when the rows are not a multiple
     * of the number of buckets.
     *
     * @param buckets the number of files over which the rows are distributed
     * @return its folder, below the staging folder
     */
    public AcidFolder write(int buckets, Ordering ordering) {
        String folder = staging + "/" + base.name();
        io.files().makeFolder(folder);
        long rows = count();
        try (Buckets output = new Buckets(folder, Math.max(1, Math.ceilDiv(rows, (long) buckets)))) {
            ordering.pass(this::read, output::append);
            output.finish();
            if (output.written != rows) {
                throw new IllegalStateException(output.written + " rows were written of " + rows);
            }
        }
        AcidVersionFile.create(io.files(), base, staging);
        io.files().force(folder + "/" + AcidVersionFile.NAME);
        io.files().force(folder);
        return base;
    }

    private long count() {
        List<Integer> id = List.of(place.table().ordinal(VirtualColumn.ROW_ID));
        long[] rows = new long[1];
        files.forEach(file -> scan(file, id, batch -> rows[0] += batch.rowCount()));
        return rows[0];
    }

    private void read(Consumer<Batch> target) {
        List<Integer> columns = CompactedRows.dataColumns(place);
        for (DataFile file : files) {
            scan(file, columns, batch -> target.accept(CompactedRows.data(batch, columns.size())));
        }
    }

    private void scan(DataFile file, List<Integer> columns, Consumer<SourceBatch> target) {
        FileVersion version = file.entry().version();
        Split whole = new Split(
                version, 0, version.length(), place.readFormat(), place.fileColumns(), List.of(), file.acid());
        CompactedRows.read(io, place, whole, columns, target);
    }

    /** The files, one after the other. */
    private final class Buckets implements AutoCloseable {
        private final String folder;
        private final long rowsEach;
        private long written;
        private @Nullable MergedFile file;

        Buckets(String folder, long rowsEach) {
            this.folder = folder;
            this.rowsEach = rowsEach;
        }

        void append(Batch rows) {
            int from = 0;
            while (from < rows.rowCount()) {
                int count = (int) Math.min(rows.rowCount() - from, rowsEach - written % rowsEach);
                open().append(rows.slice(from, count));
                from += count;
                written += count;
                if (written % rowsEach == 0) {
                    finish();
                }
            }
        }

        private String path(long bucket) {
            return folder + "/" + AcidFolder.compactedFile((int) bucket);
        }

        private MergedFile open() {
            MergedFile current = file;
            if (current == null) {
                int bucket = (int) (written / rowsEach);
                current = new MergedFile(
                        io.memory(), () -> io.sinks().create(place.table(), path(bucket), write, bucket));
                file = current;
            }
            return current;
        }

        void finish() {
            MergedFile current = file;
            if (current != null) {
                try (current) {
                    current.finish();
                }
                file = null;
                io.files().force(path((written - 1) / rowsEach));
            }
        }

        @Override
        public void close() {
            MergedFile current = file;
            file = null;
            if (current != null) {
                current.close();
            }
        }
    }
}
