package io.skep.storage.acid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * The write ids of a table whose rows someone has seen, for example a materialized view: all up to a highest one, but
 * for some. All others are later ones.
 *
 * @param highest the highest write id
 * @param missing lower write ids whose rows were not seen, in ascending order: those of transactions that were open.
 *     Those of aborted ones never have visible rows
 */
public record SeenWriteIds(long highest, List<Long> missing) {
    public SeenWriteIds {
        missing = List.copyOf(missing);
    }

    public static SeenWriteIds of(ValidWriteIdList ids) {
        List<Long> missing = Arrays.stream(ids.getInvalidWriteIds())
                .filter(writeId -> !ids.isWriteIdAborted(writeId))
                .boxed()
                .sorted()
                .toList();
        return new SeenWriteIds(ids.getHighWatermark(), missing);
    }

    /** Returns the lowest write id that may have rows which were not seen. */
    public long firstUnseen() {
        return missing.isEmpty() ? highest + 1 : missing.getFirst();
    }

    public boolean contains(long writeId) {
        return writeId <= highest && !missing.contains(writeId);
    }

    /** Whether a folder has only rows or events of later write ids; empty if it may have both. */
    public Optional<Boolean> isLater(AcidFolder folder) {
        if (folder.minWriteId() > highest) {
            return Optional.of(true);
        }
        long unseen = missing.stream()
                .filter(id -> folder.minWriteId() <= id && id <= folder.maxWriteId())
                .count();
        if (folder.maxWriteId() <= highest && unseen == 0) {
            return Optional.of(false);
        }
        long afterHighest = Math.max(0, folder.maxWriteId() - highest);
        boolean isBase = folder.kind() == AcidFolder.Kind.BASE;
        return !isBase && unseen + afterHighest == folder.maxWriteId() - folder.minWriteId() + 1
                ? Optional.of(true)
                : Optional.empty();
    }

    /**
     * Returns the visible write ids that were not seen.
     *
     * @param limit the most that are returned
     * @return empty if there are, or may be, more
     */
    public Optional<List<Long>> unseen(ValidWriteIdList visible, int limit) {
        long last = visible.getHighWatermark();
        if (missing.size() > limit || last - highest > limit) {
            return Optional.empty();
        }
        List<Long> unseen = new ArrayList<>();
        for (long writeId : missing) {
            if (visible.isWriteIdValid(writeId)) {
                unseen.add(writeId);
            }
        }
        for (long writeId = highest + 1; writeId <= last; writeId++) {
            if (visible.isWriteIdValid(writeId)) {
                unseen.add(writeId);
            }
        }
        return Optional.of(unseen);
    }
}
