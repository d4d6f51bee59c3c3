package io.skep.ql.transaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * The write ids of a table whose rows a materialized view contains: all up to a highest one, but for some.
 *
 * @param highest the highest write id
 * @param missing lower write ids whose rows the view lacks, in ascending order: those of transactions that were open.
 *     Those of aborted ones never have visible rows
 */
public record SeenWriteIds(long highest, List<Long> missing) {
    public SeenWriteIds {
        missing = List.copyOf(missing);
    }

    static SeenWriteIds of(ValidWriteIdList ids) {
        List<Long> missing = Arrays.stream(ids.getInvalidWriteIds())
                .filter(writeId -> !ids.isWriteIdAborted(writeId))
                .boxed()
                .sorted()
                .toList();
        return new SeenWriteIds(ids.getHighWatermark(), missing);
    }

    /** Returns the lowest write id that may have rows which the view lacks. */
    public long firstUnseen() {
        return missing.isEmpty() ? highest + 1 : missing.getFirst();
    }

    /**
     * Returns the visible write ids that the view lacks.
     *
     * @param limit the most that are returned
     * @return empty if there are, or may be, more
     */
    Optional<List<Long>> unseen(ValidWriteIdList visible, int limit) {
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
