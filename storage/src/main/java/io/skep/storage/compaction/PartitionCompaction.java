package io.skep.storage.compaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.acid.AcidFiles;
import io.skep.storage.acid.AcidFiles.DataFile;
import io.skep.storage.acid.AcidFolder;
import io.skep.storage.acid.AcidState;
import io.skep.storage.acid.AcidVersionFile;
import io.skep.storage.acid.RowCounts;
import io.skep.storage.compaction.EventMerge.Input;
import io.skep.storage.file.FileEntry;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Writes the files of a compaction of a table whose rows have identifiers, below a staging folder. Rows keep their
 * identifiers and their buckets, and memory does not depend on their number. A caller makes the folders visible.
 */
public final class PartitionCompaction {
    /** The most files with delete events that are open at once. More are merged in several passes. */
    static final int MAX_OPEN = 64;

    private final CompactionFiles io;
    private final CompactedPlace place;
    private final CompactorSnapshot snapshot;
    private final PartitionState partition;
    private final long transaction;
    private final String staging;

    /**
     * @param transaction the transaction of the compaction
     * @param staging a folder for files, on the file system of the place
     */
    public PartitionCompaction(
            CompactionFiles io,
            CompactedPlace place,
            CompactorSnapshot snapshot,
            PartitionState partition,
            long transaction,
            String staging) {
        this.io = io;
        this.place = place;
        this.snapshot = snapshot;
        this.partition = partition;
        this.transaction = transaction;
        this.staging = staging;
    }

    /** Writes the base of a major compaction. Returns its folder, below the staging folder. */
    public List<AcidFolder> writeBase() {
        AcidFolder base = AcidFolder.ofCompactedBase(snapshot.highestWriteId(), transaction);
        List<DataFile> files = dataFiles();
        if (place.insertOnly()) {
            new PlainMerge(io, place).write(files, folder(base));
        } else {
            writeInserts(base, files);
        }
        return List.of(base);
    }

    /**
     * Writes the delta and the delete delta of a minor compaction. Deletes are not applied: their rows may be in the
     * base. Returns the folders, below the staging folder.
     */
    public List<AcidFolder> writeDeltas() {
        List<AcidState.Folder> deltas = partition.state().deltas();
        long min = deltas.stream()
                .mapToLong(delta -> delta.folder().minWriteId())
                .min()
                .orElseThrow();
        long max = deltas.stream()
                .mapToLong(delta -> delta.folder().maxWriteId())
                .max()
                .orElseThrow();
        List<AcidFolder> written = new ArrayList<>();
        if (deltas.stream().anyMatch(delta -> delta.folder().deletes())) {
            AcidFolder merged = AcidFolder.ofCompactedDelta(AcidFolder.Kind.DELETE_DELTA, min, max, transaction);
            writeDeletes(merged, deltas);
            written.add(merged);
        }
        if (deltas.stream().anyMatch(delta -> !delta.folder().deletes())) {
            AcidFolder merged = AcidFolder.ofCompactedDelta(AcidFolder.Kind.DELTA, min, max, transaction);
            List<DataFile> files = insertedFiles(deltas);
            if (place.insertOnly()) {
                new PlainMerge(io, place).write(files, folder(merged));
            } else {
                writeInserts(merged, files);
            }
            written.add(merged);
        }
        return written;
    }

    private String folder(AcidFolder folder) {
        return staging + "/" + folder.name();
    }

    private List<DataFile> dataFiles() {
        RowCounts counts = new RowCounts(io.readers());
        return AcidFiles.of(
                io.files(),
                place.location(),
                partition.tree(),
                snapshot.ofTable(place.insertOnly()),
                file -> counts.of(file.version(), place.readFormat(), place.fileColumns()));
    }

    /** Returns the files of deltas, whose deleted rows are kept. */
    private List<DataFile> insertedFiles(List<AcidState.Folder> deltas) {
        Set<FileVersion> wanted = new HashSet<>();
        deltas.forEach(delta -> delta.files().forEach(file -> wanted.add(file.version())));
        return dataFiles().stream()
                .filter(file -> wanted.contains(file.entry().version()))
                .map(file -> new DataFile(file.entry(), file.acid().map(PartitionCompaction::withoutDeletes)))
                .toList();
    }

    private static AcidInfo withoutDeletes(AcidInfo info) {
        return new AcidInfo(
                info.derived(), info.mixed(), List.of(), false, info.mixed() ? info.writeIds() : Optional.empty());
    }

    private void writeInserts(AcidFolder target, List<DataFile> files) {
        Map<Integer, List<Input>> buckets = new TreeMap<>();
        for (DataFile file : files) {
            if (file.entry().version().length() > 0) {
                buckets.computeIfAbsent(bucket(file.entry(), file.bucket()), _ -> new ArrayList<>())
                        .add(insertsOf(file));
            }
        }
        write(target, buckets, false);
    }

    private static int bucket(FileEntry file, OptionalInt bucket) {
        return bucket.orElseThrow(() -> new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "a compaction does not know the bucket of " + file.path() + ", whose name does not contain it")
                .withHint("give the file a name such as 000000_0"));
    }

    private Input insertsOf(DataFile file) {
        AcidInfo info = file.acid().orElseThrow();
        EventId first = info.derived()
                .map(ids -> new EventId(
                        ids.writeId(), ids.bucket(), ids.firstRowId().orElseThrow()))
                .orElseGet(() -> EventId.from(AcidState.folderOf(place.location(), file.entry())
                        .map(AcidFolder::minWriteId)
                        .orElse(Long.MIN_VALUE)));
        FileVersion version = file.entry().version();
        Split whole = new Split(
                version, 0, version.length(), place.readFormat(), place.fileColumns(), List.of(), Optional.of(info));
        int columns = place.table().dataColumns().size();
        List<Integer> wanted =
                new ArrayList<>(IntStream.range(0, columns).boxed().toList());
        wanted.add(place.table().ordinal(VirtualColumn.ROW_ID));
        ScanRequest request = new ScanRequest(place.table(), wanted, List.of());
        return new Input(
                first, version.path(), () -> new InsertSource(io.sources().open(request, whole, io.memory()), columns));
    }

    private void writeDeletes(AcidFolder target, List<AcidState.Folder> deltas) {
        Map<Integer, List<Input>> buckets = new TreeMap<>();
        for (AcidState.Folder delta : deltas) {
            if (delta.folder().deletes()) {
                for (FileEntry file : delta.files()) {
                    OptionalInt bucket = new DataFile(file, Optional.empty()).bucket();
                    if (bucket.isPresent() && file.version().length() > 0) {
                        buckets.computeIfAbsent(bucket.getAsInt(), _ -> new ArrayList<>())
                                .add(deletesOf(file.version()));
                    }
                }
            }
        }
        buckets.replaceAll(this::inPasses);
        write(target, buckets, true);
    }

    private Input deletesOf(FileVersion file) {
        AcidInfo stored = new AcidInfo(Optional.empty(), false, List.of(), false, Optional.empty());
        Split whole = new Split(
                file, 0, file.length(), place.readFormat(), AcidColumn.COLUMNS, List.of(), Optional.of(stored));
        return new Input(
                EventId.from(Long.MIN_VALUE),
                file.path(),
                () -> new DeleteSource(file.path(), io.readers().open(whole), snapshot.writeIds()));
    }

    /** Merges files with deletes until there are few enough for the last pass. */
    private List<Input> inPasses(int bucket, List<Input> files) {
        List<Input> left = new ArrayList<>(files);
        for (int pass = 0; left.size() > MAX_OPEN; pass++) {
            List<Input> some = List.copyOf(left.subList(0, MAX_OPEN));
            left.subList(0, MAX_OPEN).clear();
            String path = staging + "/passes/" + bucket + "_" + pass;
            if (merge(some, path, true)) {
                left.add(deletesOf(io.files().status(path).version()));
            }
        }
        return left;
    }

    private void write(AcidFolder target, Map<Integer, List<Input>> buckets, boolean deletes) {
        String folder = folder(target);
        io.files().makeFolder(folder);
        buckets.forEach((bucket, files) -> {
            String path = folder + "/" + AcidFolder.compactedFile(bucket);
            if (merge(files, path, deletes)) {
                io.files().force(path);
            }
        });
        AcidVersionFile.create(io.files(), target, staging);
        io.files().force(folder + "/" + AcidVersionFile.NAME);
        io.files().force(folder);
    }

    /** Returns whether there were rows, and so a file. */
    private boolean merge(List<Input> files, String path, boolean deletes) {
        try (MergedFile output =
                        new MergedFile(io.memory(), () -> io.sinks().createMerged(place.table(), path, deletes));
                EventMerge merge = new EventMerge(files)) {
            merge.run(output::append);
            return output.finish();
        }
    }
}
