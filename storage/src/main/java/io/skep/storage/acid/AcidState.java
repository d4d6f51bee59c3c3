package io.skep.storage.acid;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.FileEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hadoop.hive.common.ValidWriteIdList.RangeResponse;
import org.jspecify.annotations.Nullable;

/**
 * The folders and files of a transactional table or partition that a snapshot consists of: the newest base that it can
 * use, and the deltas after it. Deltas that a compaction has merged into a wider one are left out. The rules are those
 * of Hive's AcidUtils, with two exceptions: a base of an INSERT OVERWRITE that has not committed is never used, and of
 * two compactions of the same deltas only one is used, also if both wrote inserts and deletes.
 *
 * @param originals files beside the folders, in order of their paths; none if there is a base
 * @param deltas deltas and delete deltas, in order of their write ids
 */
public record AcidState(Optional<Folder> base, List<FileEntry> originals, List<Folder> deltas) {
    /** A folder and the files in it, in order of their paths. */
    public record Folder(AcidFolder folder, List<FileEntry> files) {
        public Folder {
            files = List.copyOf(files);
        }
    }

    public AcidState {
        originals = List.copyOf(originals);
        deltas = List.copyOf(deltas);
    }

    /**
     * Finds the files of a snapshot.
     *
     * @param location the folder of the table or partition
     * @param tree all files and folders below it
     * @param compactedByHive3 whether a base, given by its path, was written by a compaction, according to what is in
     *     it; asked where its name does not say so
     */
    public static AcidState of(
            String location, List<FileEntry> tree, TableSnapshot snapshot, Predicate<String> compactedByHive3) {
        Map<String, List<FileEntry>> found = new TreeMap<>();
        List<FileEntry> originals = new ArrayList<>();
        String root = new Path(location).toUri().getPath();
        for (FileEntry entry : tree) {
            String below = below(entry.path(), root);
            int slash = below.indexOf('/');
            String first = slash < 0 ? below : below.substring(0, slash);
            boolean file = slash < 0 && !entry.folder();
            if (file || AcidFolder.parse(first).isEmpty()) {
                if (!entry.folder()) {
                    originals.add(entry);
                }
            } else {
                List<FileEntry> files = found.computeIfAbsent(first, name -> new ArrayList<>());
                if (!entry.folder()) {
                    files.add(entry);
                }
            }
        }
        List<Folder> folders = new ArrayList<>();
        found.forEach(
                (name, files) -> folders.add(new Folder(AcidFolder.parse(name).orElseThrow(), sorted(files))));
        return new Selection(location, snapshot, compactedByHive3).of(folders, sorted(originals));
    }

    /** Returns the base or delta that a file or folder belongs to, or is; empty for what is beside these folders. */
    public static Optional<AcidFolder> folderOf(String location, FileEntry entry) {
        String below = below(entry.path(), new Path(location).toUri().getPath());
        int slash = below.indexOf('/');
        return slash < 0 && !entry.folder()
                ? Optional.empty()
                : AcidFolder.parse(slash < 0 ? below : below.substring(0, slash));
    }

    /** @param root the path of the table's or partition's folder, without its file system */
    private static String below(String path, String root) {
        int authority = path.indexOf("://");
        int at = authority < 0 ? path.indexOf('/') : path.indexOf('/', authority + 3);
        int from = at + root.length();
        if (!path.startsWith(root, at)) {
            throw new IllegalArgumentException(path + " is not below " + root);
        }
        return path.substring(path.startsWith("/", from) ? from + 1 : from);
    }

    private static List<FileEntry> sorted(List<FileEntry> files) {
        return files.stream().sorted(Comparator.comparing(FileEntry::path)).toList();
    }

    /** Chooses the folders of a snapshot. */
    private record Selection(String location, TableSnapshot snapshot, Predicate<String> compactedByHive3) {
        AcidState of(List<Folder> folders, List<FileEntry> originals) {
            List<Folder> deltas = new ArrayList<>();
            Folder base = null;
            AcidFolder oldest = null;
            for (Folder candidate : folders) {
                AcidFolder folder = candidate.folder();
                if (!snapshot.committed(folder)) {
                    continue;
                }
                if (folder.kind() != AcidFolder.Kind.BASE) {
                    if (visible(folder)) {
                        deltas.add(candidate);
                    }
                    continue;
                }
                boolean older = oldest == null
                        || folder.maxWriteId() < oldest.maxWriteId()
                        || folder.maxWriteId() == oldest.maxWriteId() && folder.visibilityTxnId() > 0;
                oldest = older ? folder : oldest;
                if ((base == null || newer(folder, base.folder())) && usable(folder)) {
                    base = candidate;
                }
            }
            if (base == null && oldest != null && compacted(oldest)) {
                throw notEnoughHistory(oldest);
            }
            return new AcidState(Optional.ofNullable(base), base == null ? originals : List.of(), best(deltas, base));
        }

        private boolean visible(AcidFolder delta) {
            ValidWriteIdList writeIds = snapshot.writeIds();
            return writeIds.isWriteIdRangeValid(delta.minWriteId(), delta.maxWriteId()) != RangeResponse.NONE;
        }

        /** Of two bases of one write id, that of the compaction has less to merge. */
        private boolean newer(AcidFolder folder, AcidFolder other) {
            return folder.maxWriteId() != other.maxWriteId()
                    ? folder.maxWriteId() > other.maxWriteId()
                    : folder.visibilityTxnId() > other.visibilityTxnId();
        }

        /** Whether the snapshot contains all of a base, and nothing that the base has left out. */
        private boolean usable(AcidFolder base) {
            ValidWriteIdList writeIds = snapshot.writeIds();
            long writeId = base.maxWriteId();
            Long firstOpen = writeIds.getMinOpenWriteId();
            if (writeId == Long.MIN_VALUE) {
                return true;
            }
            if (writeIds.isWriteIdAborted(writeId) && !compacted(base)) {
                return false;
            }
            if (firstOpen != null && writeId < firstOpen) {
                return true;
            }
            return compacted(base) ? writeIds.isValidBase(writeId) : writeIds.isWriteIdValid(writeId);
        }

        private boolean compacted(AcidFolder base) {
            return base.visibilityTxnId() > 0 || compactedByHive3.test(location + "/" + base.name());
        }

        /** Leaves out the deltas that a base or a wider delta contains. */
        private List<Folder> best(List<Folder> deltas, @Nullable Folder base) {
            deltas.sort(Comparator.comparing(Folder::folder, AcidFolder.WIDEST_FIRST));
            List<Folder> chosen = new ArrayList<>();
            long covered = base == null ? 0 : base.folder().maxWriteId();
            boolean byStatement = false;
            AcidFolder last = null;
            AcidFolder before = null;
            for (Folder candidate : deltas) {
                AcidFolder next = candidate.folder();
                if (next.maxWriteId() > covered) {
                    if (snapshot.writeIds().isWriteIdRangeValid(covered + 1, next.maxWriteId()) == RangeResponse.NONE) {
                        continue;
                    }
                    covered = next.maxWriteId();
                    byStatement = next.statement() >= 0;
                } else if (last != null && twins(last, next) && (last.kind() == next.kind() || twins(before, next))) {
                    // A later compaction of the same deltas has been chosen.
                    continue;
                } else if (!(next.maxWriteId() == covered && byStatement) && !twins(last, next)) {
                    continue;
                }
                chosen.add(candidate);
                before = last;
                last = next;
            }
            return chosen;
        }

        /** Whether two folders hold inserts or deletes of the same writes. */
        private static boolean twins(@Nullable AcidFolder last, AcidFolder next) {
            return last != null
                    && last.minWriteId() == next.minWriteId()
                    && last.maxWriteId() == next.maxWriteId()
                    && last.statement() == next.statement();
        }

        private SkepException notEnoughHistory(AcidFolder oldest) {
            return new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "a compaction has replaced what the statement's snapshot consists of: " + location
                                    + " has no base before " + oldest.name())
                    .withHint("run the statement again");
        }
    }
}
