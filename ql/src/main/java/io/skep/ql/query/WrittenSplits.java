package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.rel.TableSample;
import io.skep.storage.acid.AcidFolder;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the splits of an insert-only table that some write ids have written, by the names of the folders of their
 * files. A compaction may have put rows of other write ids into the same file.
 */
final class WrittenSplits {
    private final TableSample.Writes writes;
    private final Set<String> locations;

    private WrittenSplits(TableSample.Writes writes, Set<String> locations) {
        this.writes = writes;
        this.locations = locations;
    }

    /**
     * Returns the splits of the wanted rows.
     *
     * @param places the folders of the table, or of the partitions, of the splits
     * @throws SkepException TABLE_CHANGED for a file that may have both wanted and other rows
     */
    static List<Split> of(TableSample.Writes writes, List<String> places, List<Split> splits) {
        WrittenSplits written = new WrittenSplits(
                writes,
                places.stream()
                        .map(place -> withoutSlash(ListBucketPruning.normal(place)))
                        .collect(Collectors.toSet()));
        return splits.stream()
                .filter(split -> written.isLater(split) == writes.later())
                .toList();
    }

    /** Files beside the folders of write ids were there before the table became transactional. */
    private boolean isLater(Split split) {
        String path = split.file().path();
        return folder(path)
                .map(folder -> writes.seen().isLater(folder).orElseThrow(() -> unclear(path)))
                .orElse(false);
    }

    /** Returns the folder of write ids, below that of the table or partition, in which a file is. */
    private Optional<AcidFolder> folder(String path) {
        String below = ListBucketPruning.normal(path);
        int slash = below.lastIndexOf('/');
        boolean isFile = true;
        while (slash > 0 && !locations.contains(below.substring(0, slash))) {
            below = below.substring(0, slash);
            slash = below.lastIndexOf('/');
            isFile = false;
        }
        if (slash <= 0) {
            throw unclear(path);
        }
        return isFile ? Optional.empty() : AcidFolder.parse(below.substring(slash + 1));
    }

    private static String withoutSlash(String location) {
        return location.endsWith("/") ? withoutSlash(location.substring(0, location.length() - 1)) : location;
    }

    private static SkepException unclear(String path) {
        return new SkepException(
                StandardErrorCode.TABLE_CHANGED,
                "the rows of " + path + " cannot be told apart by the transactions that wrote them");
    }
}
