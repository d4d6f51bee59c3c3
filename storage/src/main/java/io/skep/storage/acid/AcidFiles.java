package io.skep.storage.acid;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FileEntry;
import io.skep.storage.file.FileInput;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.FileVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apache.hadoop.hive.common.ValidWriteIdList.RangeResponse;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files that a snapshot of a transactional table or partition consists of, with what readers must know of
 * each. Belongs to the thread of one listing.
 */
public final class AcidFiles {
    /** Where compactions before Hive 4 say that they wrote a base. */
    private static final String METADATA_FILE = "_metadata_acid";

    private static final Pattern COMPACTED = Pattern.compile("\"dataFormat\"\\s*:\\s*\"compacted\"");
    private static final int MAX_METADATA_BYTES = 1 << 16;

    private final StorageFileSystem files;
    private final TableSnapshot snapshot;
    private final RowCounter counter;
    private final List<DataFile> found = new ArrayList<>();
    /** The snapshot's write ids as text, once they are needed. */
    private @Nullable String text;

    private AcidFiles(StorageFileSystem files, TableSnapshot snapshot, RowCounter counter) {
        this.files = files;
        this.snapshot = snapshot;
        this.counter = counter;
    }

    /**
     * A file with rows.
     *
     * @param acid empty for a file of an insert-only table
     */
    public record DataFile(FileEntry entry, Optional<AcidInfo> acid) {
        /** Returns the bucket or writer that the file's name contains. */
        public OptionalInt bucket() {
            return AcidFileName.of(entry.name()).bucket();
        }
    }

    /**
     * Returns the files with rows, the oldest rows first.
     *
     * @param location the folder of the table or partition
     * @param tree all files and folders below it
     */
    public static List<DataFile> of(
            StorageFileSystem files,
            String location,
            List<FileEntry> tree,
            TableSnapshot snapshot,
            RowCounter counter) {
        AcidFiles listing = new AcidFiles(files, snapshot, counter);
        AcidState state = AcidState.of(location, tree, snapshot, base -> compactedByHive3(files, base));
        if (snapshot.insertOnly()) {
            listing.addPlain(state);
        } else {
            listing.add(state);
        }
        return listing.found;
    }

    /** Returns all files of the snapshot: those with rows, and those with delete events. */
    public static List<FileEntry> all(List<DataFile> data, List<FileEntry> tree) {
        Map<FileVersion, Boolean> used = new HashMap<>();
        for (DataFile file : data) {
            used.put(file.entry().version(), true);
            file.acid().ifPresent(acid -> acid.deleteFiles().forEach(deletes -> used.put(deletes, true)));
        }
        return tree.stream().filter(entry -> used.containsKey(entry.version())).toList();
    }

    /** Whether a compaction before Hive 4 wrote a base, given by its path, whose name does not say so. */
    public static boolean compactedByHive3(StorageFileSystem files, String base) {
        Optional<FileEntry> metadata = files.find(base + "/" + METADATA_FILE);
        if (metadata.isEmpty()) {
            return false;
        }
        try (FileInput in = files.open(metadata.get().version())) {
            byte[] bytes = new byte[(int) Math.min(MAX_METADATA_BYTES, in.length())];
            in.readFully(0, bytes, 0, bytes.length);
            return COMPACTED.matcher(new String(bytes, StandardCharsets.UTF_8)).find();
        }
    }

    private void addPlain(AcidState state) {
        List<FileEntry> plain = new ArrayList<>(state.originals());
        state.base().ifPresent(base -> plain.addAll(base.files()));
        for (AcidState.Folder delta : state.deltas()) {
            if (!delta.folder().deletes()) {
                plain.addAll(delta.files());
            }
        }
        plain.forEach(file -> found.add(new DataFile(file, Optional.empty())));
    }

    private void add(AcidState state) {
        Events events = events(state.deltas());
        if (snapshot.removedSince().isPresent()) {
            state.base().ifPresent(base -> requireEarlier(base.folder()));
            if (events.files().isEmpty()) {
                return;
            }
        }
        if (snapshot.minWriteId() <= 0) {
            addOriginals(state.originals(), 0, 0, events);
        }
        state.base().filter(base -> isWanted(base.folder())).ifPresent(base -> add(base, events));
        for (AcidState.Folder delta : state.deltas()) {
            if (!delta.folder().deletes() && isWanted(delta.folder())) {
                add(delta, events);
            }
        }
    }

    private boolean isWanted(AcidFolder folder) {
        return folder.maxWriteId() >= snapshot.minWriteId()
                && snapshot.removedSince()
                        .map(seen -> folder.minWriteId() <= seen.highest())
                        .orElse(true);
    }

    /** A base of later write ids lacks the rows that these have removed. */
    private void requireEarlier(AcidFolder base) {
        SeenWriteIds seen = snapshot.removedSince().orElseThrow();
        if (base.maxWriteId() >= seen.firstUnseen()) {
            throw unclear(base);
        }
    }

    /** Whether the delete events of a folder count. */
    private boolean counts(AcidFolder deletes) {
        return snapshot.removedSince()
                .map(seen -> seen.isLater(deletes).orElseThrow(() -> unclear(deletes)))
                .orElse(true);
    }

    private static SkepException unclear(AcidFolder folder) {
        return new SkepException(
                StandardErrorCode.TABLE_CHANGED,
                "a compaction into " + folder.name() + " has mixed or dropped the rows of transactions");
    }

    /**
     * Returns all delete events of a snapshot. Those of a write id may name rows of a later one: of two transactions
     * that change the same rows after each other, the second one may have got its write id first.
     */
    private Events events(List<AcidState.Folder> deltas) {
        List<FileVersion> events = new ArrayList<>();
        boolean mixed = false;
        for (AcidState.Folder delta : deltas) {
            if (!delta.folder().deletes() || !counts(delta.folder())) {
                continue;
            }
            for (FileEntry file : delta.files()) {
                if (AcidFileName.of(file.name()).kind() == AcidFileName.Kind.STORED
                        && file.version().length() > 0) {
                    events.add(file.version());
                    mixed |= !wholly(delta.folder());
                }
            }
        }
        return new Events(events, mixed);
    }

    private void add(AcidState.Folder parent, Events events) {
        AcidFolder folder = parent.folder();
        boolean base = folder.kind() == AcidFolder.Kind.BASE;
        boolean mixed = !base && !wholly(folder);
        List<FileEntry> originals = new ArrayList<>();
        for (FileEntry file : parent.files()) {
            switch (AcidFileName.of(file.name()).kind()) {
                case STORED -> found.add(new DataFile(file, Optional.of(info(Optional.empty(), mixed, events))));
                case ORIGINAL -> originals.add(file);
                case FLUSH_LENGTH -> checkClosed(file, parent.files());
                // Hive reads all files of a base, and only those with known names of a delta.
                case OTHER -> {
                    if (base) {
                        originals.add(file);
                    }
                }
            }
        }
        addOriginals(originals, folder.maxWriteId(), folder.statementOrFirst(), events);
    }

    /** Adds files without row identifiers. Those of one bucket are numbered together, in order of their paths. */
    private void addOriginals(List<FileEntry> originals, long writeId, int statement, Events events) {
        boolean numbered = snapshot.needsRowIds() || !events.files().isEmpty();
        Map<Integer, Long> next = new HashMap<>();
        Map<Integer, FileEntry> last = new HashMap<>();
        for (FileEntry file : originals) {
            OptionalInt bucket = AcidFileName.of(file.name()).bucket();
            if (numbered && (bucket.isEmpty() || bucket.getAsInt() > BucketProperty.MAX_BUCKET)) {
                throw new SkepException(
                                StandardErrorCode.CORRUPT_FILE,
                                "the rows of " + file.path() + " have no identifiers, because its name has no bucket")
                        .withHint("give the file a name such as 000000_0");
            }
            int number = bucket.orElse(0);
            OptionalLong first = OptionalLong.empty();
            if (numbered && file.version().length() > 0) {
                FileEntry before = last.put(number, file);
                long row = before == null ? 0 : next.getOrDefault(number, 0L) + counter.rows(before);
                next.put(number, row);
                first = OptionalLong.of(row);
            }
            int property = number > BucketProperty.MAX_BUCKET ? 0 : BucketProperty.encode(number, statement);
            AcidInfo.DerivedRowIds ids = new AcidInfo.DerivedRowIds(writeId, property, first);
            found.add(new DataFile(file, Optional.of(info(Optional.of(ids), false, events))));
        }
    }

    private AcidInfo info(Optional<AcidInfo.DerivedRowIds> derived, boolean mixed, Events events) {
        Optional<String> writeIds = mixed || events.mixed() ? Optional.of(writeIds()) : Optional.empty();
        return new AcidInfo(derived, mixed, events.files(), snapshot.withDeleted(), writeIds);
    }

    private String writeIds() {
        String known = text;
        if (known == null) {
            known = snapshot.writeIds().writeToString();
            text = known;
        }
        return known;
    }

    /** Whether all write ids of a delta are part of the snapshot. */
    private boolean wholly(AcidFolder delta) {
        return snapshot.writeIds().isWriteIdRangeValid(delta.minWriteId(), delta.maxWriteId()) == RangeResponse.ALL;
    }

    /** Rejects a file that is still being written, of which only a part is committed. */
    private void checkClosed(FileEntry lengths, List<FileEntry> siblings) {
        String path = lengths.path().substring(0, lengths.path().length() - AcidFileName.FLUSH_LENGTH.length());
        for (FileEntry file : siblings) {
            if (file.path().equals(path) && file.version().length() != last(lengths.version())) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                path + " is being written by Hive's streaming ingest with several transactions in a"
                                        + " file, which cannot be read yet")
                        .withHint("run the statement again when the stream is closed");
            }
        }
    }

    private long last(FileVersion lengths) {
        if (lengths.length() < Long.BYTES) {
            return 0;
        }
        try (FileInput in = files.open(lengths)) {
            byte[] bytes = new byte[Long.BYTES];
            in.readFully(in.length() - Long.BYTES, bytes, 0, bytes.length);
            return ByteBuffer.wrap(bytes).getLong();
        }
    }

    /** @param mixed whether events of write ids that are not part of the snapshot may be among them */
    private record Events(List<FileVersion> files, boolean mixed) {}
}
