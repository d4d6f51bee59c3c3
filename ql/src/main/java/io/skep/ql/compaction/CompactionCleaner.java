package io.skep.ql.compaction;

import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.metastore.transaction.CompactionStore;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.storage.acid.AcidFolder;
import io.skep.storage.acid.AcidState;
import io.skep.storage.compaction.CompactorSnapshot;
import io.skep.storage.compaction.PartitionState;
import io.skep.storage.file.FileEntry;
import io.skep.storage.file.StorageFileSystem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hive.common.ValidReadTxnList;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList.RangeResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files of transactional tables that nobody can read any more.
 *
 * <p>A compaction is cleaned up when all transactions have ended that were open when it committed. All that are open
 * then began later, so they see its folders. They also agree on all writes up to its highest write id, because these
 * had ended before the compaction began. What none of them reads of these writes is deleted. A folder of another
 * compaction does not count when a transaction may be open that does not see it. Folders of aborted transactions are
 * read by nobody, and are deleted at any time. Belongs to one thread.
 */
final class CompactionCleaner {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionCleaner.class);
    private static final String NO_CLEANUP = "NO_CLEANUP";

    /** The property of an entry of the queue that is not about a compaction, but about a folder that was dropped. */
    private static final String DROPPED_FOLDER = "location";

    private static final Duration RETRY = Duration.ofMinutes(5);

    private final CompactionParts parts;
    private final CompactionThresholds thresholds;
    private final InstantSource clock;
    private final BooleanSupplier closing;

    /** When what could not be cleaned up is tried again. */
    private final Map<String, Instant> postponed = new HashMap<>();

    /** The last transaction that may not see a rebalance of Hive, by its id in the queue. */
    private final Map<Long, Long> lastBefore = new HashMap<>();

    /** @param closing whether the work is to be ended */
    CompactionCleaner(
            CompactionParts parts, CompactionThresholds thresholds, InstantSource clock, BooleanSupplier closing) {
        this.parts = parts;
        this.thresholds = thresholds;
        this.clock = clock;
        this.closing = closing;
    }

    private CompactionStore queue() {
        return parts.queue();
    }

    /** Cleans up all that can be cleaned up now. */
    void run() {
        Instant now = clock.instant();
        postponed.values().removeIf(until -> !now.isBefore(until));
        long oldest = queue().oldestTransaction();
        for (CompactionJob job : queue().readyToClean(oldest, Duration.ZERO)) {
            attempt(job, () -> clean(job, oldest));
        }
        for (CompactionJob job : queue().abortsToClean(thresholds.abortAge(), thresholds.aborts())) {
            attempt(job, () -> cleanAborts(job));
        }
    }

    private void attempt(CompactionJob job, Runnable work) {
        String key = job.kind().isPresent() ? "compaction " + job.id() : job.place();
        if (closing.getAsBoolean() || postponed.containsKey(key)) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException e) {
            String reason = e instanceof SkepException known ? known.fullMessage() : String.valueOf(e);
            LOG.warn("{} could not be cleaned up, it is tried again: {}", job.place(), reason, e);
            postponed.put(key, clock.instant().plus(RETRY));
            if (job.id() > 0) {
                queue().cleaningFailed(job, reason, RETRY);
            }
        }
    }

    private void clean(CompactionJob job, long oldest) {
        // An entry about a dropped folder is for the one who made it, which is Hive.
        if (job.properties().containsKey(DROPPED_FOLDER) || !hasCommitted(job) || mayBeUnseen(job, oldest)) {
            return;
        }
        Optional<CompactionTarget> target = CompactionTarget.find(parts.catalog(), job);
        if (target.isEmpty() || target.get().isAllPartitions()) {
            queue().cleaned(job);
            return;
        }
        if (isKept(target.get())) {
            queue().refused(job, NO_CLEANUP + " is set");
            return;
        }
        queue().cleaning(job);
        Table table = target.get().table();
        endCommits(table);
        ValidTxnList visible = withoutNewer(job, oldest);
        CompactorSnapshot snapshot =
                CompactorSnapshot.of(visible, parts.writeIds(visible, table), job.highestWriteId());
        PartitionState partition = PartitionState.of(files(), target.get().location(), table.isInsertOnly(), snapshot);
        if (delete(partition.aborted()) && delete(partition.replaced())) {
            queue().cleaned(job);
        } else {
            queue().cleaningAgain(job);
        }
    }

    /** An entry whose transaction has not ended is not cleaned up, since its folders may yet become visible. */
    private boolean hasCommitted(CompactionJob job) {
        if (job.next() > 0) {
            return true;
        }
        return parts.store().compactions(CompactionFilter.ofId(job.id())).stream()
                .flatMapToLong(compaction -> compaction.transaction().stream())
                .noneMatch(transaction -> parts.store().transactions().stream()
                        .anyMatch(open -> open.id() == transaction && !open.isAborted()));
    }

    /**
     * Whether an open transaction may read what a rebalance has replaced. Hive's library does not record which ones
     * may, so all do that are open when the rebalance is first seen. Those of this server are recorded.
     */
    private boolean mayBeUnseen(CompactionJob job, long oldest) {
        if (job.next() > 0 || !job.kind().equals(Optional.of(CompactionKind.REBALANCE))) {
            return false;
        }
        long last = lastBefore.computeIfAbsent(
                job.id(), _ -> parts.store().validTransactions(0).getHighWatermark());
        return oldest <= last;
    }

    private static boolean isKept(CompactionTarget target) {
        return CompactionTarget.isTrue(target.table().properties(), NO_CLEANUP)
                || target.partition()
                        .filter(partition -> CompactionTarget.isTrue(partition.properties(), NO_CLEANUP))
                        .isPresent();
    }

    private StorageFileSystem files() {
        return parts.io().files();
    }

    /** Returns all transactions that have committed, except compactions that an open transaction may not see. */
    private ValidTxnList withoutNewer(CompactionJob job, long oldest) {
        ValidTxnList committed = parts.store().validTransactions(0);
        CompactionFilter ofTable = CompactionFilter.of(job.database(), job.table(), job.partition());
        Map<Long, Boolean> invalid = new TreeMap<>();
        for (long transaction : committed.getInvalidTransactions()) {
            invalid.put(transaction, committed.isTxnAborted(transaction));
        }
        for (ListedCompaction other : parts.store().compactions(ofTable)) {
            boolean seen = other.next().isPresent()
                    ? other.next().getAsLong() <= oldest
                    : other.id() == job.id() || other.state().equals("succeeded");
            // What a failed rebalance may have written has a write id above those of all compactions before it.
            boolean isOver = other.state().equals("failed") && other.kind().equals(CompactionKind.REBALANCE.name());
            if (!seen && !isOver && other.transaction().isPresent()) {
                invalid.putIfAbsent(other.transaction().getAsLong(), false);
            }
        }
        long[] exceptions = invalid.keySet().stream().mapToLong(Long::longValue).toArray();
        BitSet aborted = new BitSet();
        long firstOpen = Long.MAX_VALUE;
        for (int i = 0; i < exceptions.length; i++) {
            boolean isAborted = invalid.getOrDefault(exceptions[i], false);
            aborted.set(i, isAborted);
            firstOpen = isAborted ? firstOpen : Math.min(firstOpen, exceptions[i]);
        }
        return new ValidReadTxnList(exceptions, aborted, committed.getHighWatermark(), firstOpen);
    }

    /**
     * Ends commits to a table that a killed server has left: the files that its LOAD had moved into the folder of an
     * aborted transaction are moved back.
     */
    private void endCommits(Table table) {
        parts.commits().exclusively(List.of(table), "clean-" + UUID.randomUUID(), () -> true);
    }

    /** Returns whether all are deleted; false when the work is to be ended. */
    private boolean delete(List<String> paths) {
        for (String path : paths) {
            if (closing.getAsBoolean()) {
                return false;
            }
            LOG.info("{} is deleted, since nothing reads it any more", path);
            files().delete(path);
        }
        return true;
    }

    /**
     * Deletes the folders of aborted transactions. When the transactions did not name their partitions, they are looked
     * for in all of them.
     */
    private void cleanAborts(CompactionJob job) {
        Optional<CompactionTarget> target = CompactionTarget.find(parts.catalog(), job);
        if (target.isEmpty()) {
            queue().cleaned(job);
            return;
        }
        Table table = target.get().table();
        endCommits(table);
        ValidTxnList committed = parts.store().validTransactions(0);
        CompactorSnapshot snapshot = CompactorSnapshot.of(committed, parts.writeIds(committed, table), Long.MAX_VALUE);
        List<String> aborted = new ArrayList<>();
        for (String location : locations(target.get())) {
            if (isMixed(location, snapshot, aborted)) {
                LOG.info(
                        "{} has a folder of committed and aborted writes, which a compaction has to rewrite", location);
                postponed.put(job.place(), clock.instant().plus(RETRY));
                return;
            }
        }
        if (delete(aborted)) {
            queue().cleaned(job.upTo(snapshot.highestWriteId()));
        }
    }

    private Set<String> locations(CompactionTarget target) {
        Set<String> locations = new LinkedHashSet<>(List.of(target.location()));
        if (target.isAllPartitions()) {
            locations.clear();
            parts.catalog()
                    .partitions(target.table(), _ -> true)
                    .forEach(partition -> locations.add(partition.storage().location()));
        }
        return locations;
    }

    /** Returns whether a folder has aborted writes among others. */
    private boolean isMixed(String location, CompactorSnapshot snapshot, List<String> aborted) {
        Set<String> seen = new LinkedHashSet<>();
        for (FileEntry entry : files().listTrees(List.of(location)).getFirst()) {
            Optional<AcidFolder> folder = AcidState.folderOf(location, entry);
            if (folder.isEmpty() || !seen.add(folder.get().name())) {
                continue;
            }
            if (PartitionState.isAborted(folder.get(), snapshot)) {
                aborted.add(location + "/" + folder.get().name());
            } else if (folder.get().kind() != AcidFolder.Kind.BASE
                    && folder.get().visibilityTxnId() == 0
                    && snapshot.writeIds()
                                    .isWriteIdRangeAborted(
                                            folder.get().minWriteId(),
                                            folder.get().maxWriteId())
                            == RangeResponse.SOME) {
                return true;
            }
        }
        return false;
    }
}
