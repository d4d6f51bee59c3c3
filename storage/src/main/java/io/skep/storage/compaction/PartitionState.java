package io.skep.storage.compaction;

import io.skep.storage.acid.AcidFiles;
import io.skep.storage.acid.AcidFolder;
import io.skep.storage.acid.AcidState;
import io.skep.storage.file.FileEntry;
import io.skep.storage.file.StorageFileSystem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hadoop.hive.common.ValidWriteIdList.RangeResponse;

/**
 * The folders and files of a partition as a compaction sees them.
 *
 * @param tree all files and folders that may be compacted
 * @param state those that make up the partition's rows
 * @param replaced folders and files that no later reader uses, by path
 * @param aborted folders whose writes were all aborted, by path
 */
public record PartitionState(List<FileEntry> tree, AcidState state, List<String> replaced, List<String> aborted) {
    public PartitionState {
        tree = List.copyOf(tree);
        replaced = List.copyOf(replaced);
        aborted = List.copyOf(aborted);
    }

    public static PartitionState of(
            StorageFileSystem files, String location, boolean insertOnly, CompactorSnapshot snapshot) {
        List<FileEntry> all = files.listTrees(List.of(location)).getFirst();
        List<FileEntry> tree = snapshot.below(location, all);
        AcidState state = AcidState.of(
                location, tree, snapshot.ofTable(insertOnly), base -> AcidFiles.compactedByHive3(files, base));
        Set<String> chosen = new HashSet<>();
        state.base().ifPresent(base -> chosen.add(base.folder().name()));
        state.deltas().forEach(delta -> chosen.add(delta.folder().name()));
        List<String> replaced = new ArrayList<>();
        Set<String> aborted = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        for (FileEntry entry : all) {
            Optional<AcidFolder> folder = AcidState.folderOf(location, entry);
            if (folder.isEmpty()) {
                if (!entry.folder() && state.base().isPresent()) {
                    replaced.add(entry.path());
                }
            } else if (seen.add(folder.get().name())
                    && !chosen.contains(folder.get().name())) {
                String path = location + "/" + folder.get().name();
                if (isAborted(folder.get(), snapshot)) {
                    aborted.add(path);
                } else if (isReplaced(folder.get(), state, snapshot)) {
                    replaced.add(path);
                }
            }
        }
        return new PartitionState(tree, state, replaced, List.copyOf(aborted));
    }

    /** Whether no reader will ever see anything of a folder. */
    public static boolean isAborted(AcidFolder folder, CompactorSnapshot snapshot) {
        if (folder.visibilityTxnId() > 0) {
            return snapshot.transactions().isTxnAborted(folder.visibilityTxnId());
        }
        ValidWriteIdList writeIds = snapshot.writeIds();
        return folder.kind() == AcidFolder.Kind.BASE
                ? writeIds.isWriteIdAborted(folder.maxWriteId())
                : writeIds.isWriteIdRangeAborted(folder.minWriteId(), folder.maxWriteId()) == RangeResponse.ALL;
    }

    private static boolean isReplaced(AcidFolder folder, AcidState state, CompactorSnapshot snapshot) {
        boolean unknown =
                folder.visibilityTxnId() > 0 && !snapshot.transactions().isTxnValid(folder.visibilityTxnId());
        if (unknown || folder.maxWriteId() > snapshot.highestWriteId()) {
            return false;
        }
        if (state.base().isPresent()
                && folder.maxWriteId() <= state.base().get().folder().maxWriteId()) {
            return true;
        }
        return folder.kind() != AcidFolder.Kind.BASE
                && state.deltas().stream()
                        .map(AcidState.Folder::folder)
                        .anyMatch(wider -> wider.visibilityTxnId() > 0
                                && wider.minWriteId() <= folder.minWriteId()
                                && wider.maxWriteId() >= folder.maxWriteId());
    }

    /** Whether a compaction has something to merge, by Hive's rule. */
    public boolean isEnough(boolean major) {
        int deltas = state.deltas().size();
        if (major) {
            return !state.originals().isEmpty() || deltas + (state.base().isPresent() ? 1 : 0) > 1;
        }
        long deletes = state.deltas().stream()
                .filter(delta -> delta.folder().deletes())
                .count();
        return deltas > 2 || deltas == 2 && deletes != 1;
    }

    public boolean needsCleaning() {
        return !replaced.isEmpty() || !aborted.isEmpty();
    }

    /** Returns the bytes of the base, or of the files without one. */
    public long baseBytes() {
        List<FileEntry> files = new ArrayList<>(state.originals());
        state.base().ifPresent(base -> files.addAll(base.files()));
        return files.stream().mapToLong(file -> file.version().length()).sum();
    }

    public long deltaBytes() {
        return state.deltas().stream()
                .flatMap(delta -> delta.files().stream())
                .mapToLong(file -> file.version().length())
                .sum();
    }
}
