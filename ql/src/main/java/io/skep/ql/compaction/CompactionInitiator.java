package io.skep.ql.compaction;

import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.CompactionAnswer;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.metastore.transaction.CompactionJob;
import io.skep.metastore.transaction.CompactionKind;
import io.skep.metastore.transaction.ListedCompaction;
import io.skep.metastore.transaction.RequestedCompaction;
import io.skep.storage.compaction.CompactorSnapshot;
import io.skep.storage.compaction.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for tables and partitions that need a compaction, and requests it. Belongs to one thread. */
final class CompactionInitiator {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionInitiator.class);
    private static final String NO_AUTO_COMPACTION = "no_auto_compaction";

    /** Changes may be recorded a little later than they were made. */
    private static final Duration OVERLAP = Duration.ofMinutes(1);

    private final CompactionParts parts;
    private final CompactionConfig config;
    private final String id;
    private final InstantSource clock;
    private final BooleanSupplier closing;
    private @Nullable Instant last;

    /** @param id the name of this initiator, as {@code host-name} */
    CompactionInitiator(
            CompactionParts parts, CompactionConfig config, String id, InstantSource clock, BooleanSupplier closing) {
        this.parts = parts;
        this.config = config;
        this.id = id;
        this.clock = clock;
        this.closing = closing;
    }

    /** Looks at what has changed since the last call, and at everything in the first call. */
    void run() {
        Instant now = clock.instant();
        parts.queue().revokeTimedOut(config.workerTimeout());
        Instant before = last;
        Duration interval = before == null
                ? Duration.ofSeconds(-1)
                : Duration.between(before, now).plus(OVERLAP);
        CompactionThresholds thresholds = config.thresholds();
        List<CompactionJob> candidates = parts.queue().candidates(thresholds.aborts(), thresholds.abortAge(), interval);
        List<ListedCompaction> known = parts.store().compactions(CompactionFilter.ALL);
        for (CompactionJob candidate : candidates) {
            if (closing.getAsBoolean()) {
                return;
            }
            if (known.stream().noneMatch(compaction -> isUnderWay(compaction, candidate))) {
                attempt(candidate);
            }
        }
        last = now;
    }

    private static boolean isUnderWay(ListedCompaction compaction, CompactionJob candidate) {
        return compaction.isUnderWay()
                && compaction.database().equals(candidate.database())
                && compaction.table().equals(candidate.table())
                && compaction.partition().equals(candidate.partition());
    }

    private void attempt(CompactionJob candidate) {
        try {
            Optional<CompactionKind> kind = needed(candidate);
            if (kind.isEmpty()) {
                return;
            }
            if (parts.queue().failsAgain(candidate)) {
                LOG.warn("{} is not compacted, since its last compactions failed", candidate.place());
                return;
            }
            CompactionAnswer answer = parts.queue().request(RequestedCompaction.of(candidate, kind.get(), id));
            LOG.info("{} needs a {} compaction: {}", candidate.place(), kind.get(), answer);
        } catch (SkepException e) {
            LOG.warn("whether {} needs a compaction is not known: {}", candidate.place(), e.fullMessage());
        } catch (RuntimeException e) {
            LOG.warn("whether {} needs a compaction is not known", candidate.place(), e);
        }
    }

    private Optional<CompactionKind> needed(CompactionJob candidate) {
        Optional<CompactionTarget> target = CompactionTarget.find(parts.catalog(), candidate);
        if (target.isEmpty()
                || target.get().refusal().isPresent()
                || CompactionTarget.isTrue(target.get().table().properties(), NO_AUTO_COMPACTION)) {
            return Optional.empty();
        }
        if (candidate.tooManyAborts()) {
            return Optional.of(CompactionKind.MAJOR);
        }
        Table table = target.get().table();
        ValidTxnList committed = parts.store().validTransactions(0);
        CompactorSnapshot snapshot = CompactorSnapshot.of(committed, parts.writeIds(committed, table), Long.MAX_VALUE);
        PartitionState partition =
                PartitionState.of(parts.io().files(), target.get().location(), table.isInsertOnly(), snapshot);
        return config.thresholds().needed(partition, table.properties(), table.isInsertOnly());
    }
}
