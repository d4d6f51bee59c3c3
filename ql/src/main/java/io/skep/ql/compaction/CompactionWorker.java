package io.skep.ql.compaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.transaction.StatementTransaction;
import io.skep.storage.acid.AcidFolder;
import io.skep.storage.compaction.CompactedPlace;
import io.skep.storage.compaction.CompactorSnapshot;
import io.skep.storage.compaction.PartitionCompaction;
import io.skep.storage.compaction.PartitionRebalance;
import io.skep.storage.compaction.PartitionState;
import io.skep.storage.file.StorageFileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out compactions on one thread. A compaction runs in a transaction of its own. It writes into a staging
 * folder, renames the result into the table and commits. Readers do not see the result before, so what a failed or
 * killed compaction leaves does no harm, and another one repeats it. An interrupt gives the compaction up.
 */
final class CompactionWorker {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionWorker.class);
    private static final String NOTHING_TO_DO = "None of the compaction thresholds met, compaction request is refused!";

    private final CompactionParts parts;
    private final String id;
    private final String version;

    /** @param id the name of this worker, as {@code host-number} */
    CompactionWorker(CompactionParts parts, String id, String version) {
        this.parts = parts;
        this.id = id;
        this.version = version;
    }

    /** Carries out one compaction. Returns whether there was one. */
    boolean runNext() {
        Optional<CompactionJob> job = parts.queue().next(id, version);
        job.ifPresent(this::run);
        return job.isPresent();
    }

    /** A job that fails is marked so. */
    private void run(CompactionJob job) {
        LOG.info("compaction {} of {} begins: {}", job.id(), job.place(), job.kind());
        try {
            compact(job);
        } catch (RuntimeException | Error e) {
            if (Thread.currentThread().isInterrupted()) {
                // The server stops, and gives all its compactions back.
                return;
            }
            String reason = e instanceof SkepException known ? known.fullMessage() : String.valueOf(e);
            LOG.warn("compaction {} of {} failed: {}", job.id(), job.place(), reason, e);
            parts.queue().failed(job, reason);
        }
    }

    private void compact(CompactionJob job) {
        Optional<CompactionTarget> target = CompactionTarget.find(parts.catalog(), job);
        Optional<String> refusal = target.isEmpty()
                ? Optional.of(job.place() + " was not found, assuming it was dropped and moving on.")
                : target.get().refusal().or(() -> Rebalance.refusal(job, target.get()));
        if (refusal.isPresent()) {
            parts.queue().refused(job, refusal.get());
            return;
        }
        Thread worker = Thread.currentThread();
        AtomicReference<@Nullable SkepException> lost = new AtomicReference<>();
        StatementTransaction transaction = begin(job, target.get(), lost::set);
        try (transaction) {
            compact(job, target.get(), transaction);
        } catch (RuntimeException e) {
            SkepException reason = lost.get();
            throw reason == null || worker.isInterrupted() ? e : reason;
        }
    }

    private static boolean isRebalance(CompactionJob job) {
        return job.kind().equals(Optional.of(CompactionKind.REBALANCE));
    }

    private StatementTransaction begin(CompactionJob job, CompactionTarget target, Consumer<SkepException> cancel) {
        String user = job.user().orElse(target.table().owner());
        return isRebalance(job)
                ? parts.transactions().beginRebalance(user, id, target.table(), job.partition(), cancel)
                : parts.transactions().beginCompaction(user, id, target.table(), job.partition(), cancel);
    }

    private void compact(CompactionJob job, CompactionTarget before, StatementTransaction transaction) {
        long limit = isRebalance(job) ? transaction.writeId(before.table()) : Long.MAX_VALUE;
        CompactorSnapshot snapshot =
                CompactorSnapshot.of(transaction.visibleTransactions(), transaction.snapshot(before.table()), limit);
        // All writes of the snapshot were described by the catalog before now.
        CompactionTarget target = present(job);
        before.requireSame(target);
        parts.queue().begin(job, transaction.id(), isRebalance(job) ? limit : snapshot.highestWriteId());
        CompactedPlace place = target.place(job.properties());
        StorageFileSystem files = parts.io().files();
        PartitionState partition = PartitionState.of(files, place.location(), place.insertOnly(), snapshot);
        boolean isMajor = job.kind().orElseThrow() == CompactionKind.MAJOR;
        if (!isRebalance(job) && !partition.isEnough(isMajor)) {
            if (partition.needsCleaning()) {
                parts.queue().compacted(job);
            } else {
                parts.queue().refused(job, NOTHING_TO_DO);
            }
            transaction.commit();
            return;
        }
        String staging = place.location() + "/" + StagingFolders.PREFIX + "compaction-" + transaction.id() + "-"
                + UUID.randomUUID();
        parts.commits().folders().note(staging);
        try {
            List<AcidFolder> written;
            if (isRebalance(job)) {
                PartitionRebalance rebalance = new PartitionRebalance(
                        parts.io(), place, snapshot, partition, limit, transaction.id(), staging);
                written = List.of(Rebalance.write(job, target, place, parts.io(), rebalance, staging));
            } else {
                PartitionCompaction compaction =
                        new PartitionCompaction(parts.io(), place, snapshot, partition, transaction.id(), staging);
                written = isMajor ? compaction.writeBase() : compaction.writeDeltas();
            }
            publish(job, target, staging, written, transaction);
        } finally {
            parts.commits().folders().delete(staging);
        }
        LOG.info("compaction {} of {} ended", job.id(), job.place());
    }

    private CompactionTarget present(CompactionJob job) {
        return CompactionTarget.find(parts.catalog(), job)
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.TABLE_NOT_FOUND, job.place() + " was dropped during its compaction"));
    }

    private void publish(
            CompactionJob job,
            CompactionTarget target,
            String staging,
            List<AcidFolder> written,
            StatementTransaction transaction) {
        StorageFileSystem files = parts.io().files();
        String location = target.location();
        List<String> published = new ArrayList<>();
        boolean ready = false;
        try {
            for (AcidFolder folder : written) {
                // A transaction that others have aborted may be forgotten soon, and its folders would be visible then.
                parts.store().heartbeat(transaction.id());
                String to = location + "/" + folder.name();
                published.add(to);
                files.rename(staging + "/" + folder.name(), to);
            }
            files.force(location);
            // A drop that came before has deleted the table's files, and one that comes later deletes these too.
            target.requireSame(present(job));
            parts.store().heartbeat(transaction.id());
            if (isRebalance(job)) {
                transaction.commit();
            } else {
                parts.queue().compacted(job);
            }
            ready = true;
        } finally {
            if (!ready && !transaction.isOutcomeUnknown()) {
                // While the folders are there, the transaction must not be forgotten, so it is aborted afterwards.
                published.forEach(files::delete);
            }
        }
        if (isRebalance(job)) {
            endRebalance(job, target, transaction.writeId(target.table()));
        } else {
            transaction.commit();
        }
    }

    /**
     * Ends a rebalance in the queue, when its rows are visible. The library records which transactions may still read
     * the replaced files only with the commit of a compaction's transaction, and a rebalance has had another kind.
     * Without this end the rebalance is listed as failed, or repeated, and the replaced files stay until then.
     */
    private void endRebalance(CompactionJob job, CompactionTarget target, long writeId) {
        String user = job.user().orElse(target.table().owner());
        try (StatementTransaction end =
                parts.transactions().beginCompaction(user, id, target.table(), job.partition(), _ -> {})) {
            parts.queue().begin(job, end.id(), writeId);
            parts.queue().compacted(job);
            end.commit();
        }
    }
}
