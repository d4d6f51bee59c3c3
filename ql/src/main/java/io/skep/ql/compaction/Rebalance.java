package io.skep.ql.compaction;

import io.skep.common.error.SkepException;
import io.skep.engine.plan.SortKey;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.storage.acid.AcidFolder;
import io.skep.storage.acid.BucketProperty;
import io.skep.storage.compaction.CompactedPlace;
import io.skep.storage.compaction.CompactionFiles;
import io.skep.storage.compaction.PartitionRebalance;
import java.util.List;
import java.util.Optional;

/** What a rebalance is asked for: whether it is possible, over how many files it distributes rows, and their order. */
public final class Rebalance {
    /** The maximum number of files. The bucket of a row identifier has no larger number. */
    public static final int MAX_BUCKETS = BucketProperty.MAX_BUCKET + 1;

    private Rebalance() {}

    /** Returns why a job is no rebalance that is possible, if it is none. Other kinds are not looked at. */
    static Optional<String> refusal(CompactionJob job, CompactionTarget target) {
        if (!job.kind().equals(Optional.of(CompactionKind.REBALANCE))) {
            return Optional.empty();
        }
        if (target.table().storage().buckets() > 0 || target.storage().buckets() > 0) {
            return Optional.of("Cannot execute rebalancing compaction on bucketed tables.");
        }
        if (target.table().isInsertOnly()) {
            return Optional.of("REBALANCE compaction is not supported on insert only tables.");
        }
        if (job.buckets().isPresent() && job.buckets().getAsInt() > MAX_BUCKETS) {
            return Optional.of("A table has at most " + MAX_BUCKETS + " buckets");
        }
        try {
            keys(job, target.place(job.properties()), target);
            return Optional.empty();
        } catch (SkepException e) {
            return Optional.of(e.fullMessage());
        }
    }

    private static List<SortKey> keys(CompactionJob job, CompactedPlace place, CompactionTarget target) {
        return job.order()
                .map(text -> RebalanceOrder.parse(text)
                        .sortKeys(place.table().dataColumns(), target.table().partitionKeys()))
                .orElse(List.of());
    }

    /**
     * Writes the base.
     *
     * @param staging a folder for files
     */
    static AcidFolder write(
            CompactionJob job,
            CompactionTarget target,
            CompactedPlace place,
            CompactionFiles io,
            PartitionRebalance rebalance,
            String staging) {
        List<SortKey> keys = keys(job, place, target);
        SortedRows sorted = new SortedRows(io, place, keys, staging + "/runs", SortedRows.RUN_BYTES);
        return rebalance.write(
                job.buckets().orElseGet(rebalance::buckets),
                keys.isEmpty() ? (rows, output) -> rows.accept(output) : sorted::pass);
    }
}
