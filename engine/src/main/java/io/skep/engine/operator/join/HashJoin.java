package io.skep.engine.operator.join;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.filter.FilterPromise;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.SpillPartitions;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the drivers of a join share: its build side, and the partitions that are still to be joined when it has spilled. */
public final class HashJoin {
    private HashJoin() {}

    /** What a driver has to do when it has probed all its rows. */
    enum Rest {
        NOTHING,
        /** To give the rows of the table without a match. */
        UNMATCHED,
        /** To join partitions, when all drivers have come so far. */
        PARTITIONS
    }

    /** Guarded by itself. */
    public static final class Shared implements AutoCloseable {
        private final JoinSpec spec;
        private final List<FilterPromise> promises;
        private final int buildDrivers;
        private final Deque<SpilledJoin> jobs = new ArrayDeque<>();
        private final List<SpillPartitions> probeSides = new ArrayList<>();
        private final CompletableFuture<@Nullable Void> probed = new CompletableFuture<>();
        private @Nullable JoinBuild build;
        private int probing;
        private boolean closed;

        /**
         * @param used output columns that anything downstream looks at
         * @param promises filters that scans wait for
         * @param buildDrivers drivers that fill the build side
         * @param probeDrivers drivers that probe
         */
        public Shared(
                PlanNode.Join join, BitSet used, List<FilterPromise> promises, int buildDrivers, int probeDrivers) {
            this.spec = JoinSpec.of(join, used);
            this.promises = List.copyOf(promises);
            this.buildDrivers = buildDrivers;
            this.probing = probeDrivers;
        }

        JoinSpec spec() {
            return spec;
        }

        synchronized JoinBuild build(OperatorContext context) {
            JoinBuild existing = build;
            if (existing == null) {
                existing = new JoinBuild(spec, promises, buildDrivers, context);
                build = existing;
            }
            return existing;
        }

        synchronized JoinBuild build() {
            JoinBuild existing = build;
            if (existing == null) {
                throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "a join is probed that is not built");
            }
            return existing;
        }

        /**
         * One driver has probed all its rows, and does not look at the table any more.
         *
         * @param spilledProbe the rows that it could not probe, or null
         * @return what is left to do for it
         */
        Rest probed(@Nullable SpillPartitions spilledProbe) {
            Rest rest;
            boolean last;
            synchronized (this) {
                if (spilledProbe != null && closed) {
                    spilledProbe.finish().forEach(SpillPartitions.Part::close);
                } else if (spilledProbe != null) {
                    probeSides.add(spilledProbe);
                }
                last = --probing == 0;
                rest = closed ? Rest.NOTHING : rest(build(), last);
            }
            if (last) {
                probed.complete(null);
            }
            return rest;
        }

        private Rest rest(JoinBuild full, boolean last) {
            if (last && full.endProbing(spec.keepsRight())) {
                return spec.keepsRight() ? Rest.UNMATCHED : Rest.NOTHING;
            }
            if (last) {
                jobs.addAll(SpilledJoin.pair(full.takeParts(), probeSides));
                probeSides.clear();
            }
            return last || full.onDisk() ? Rest.PARTITIONS : Rest.NOTHING;
        }

        /** Done when all drivers have probed all their rows. */
        CompletableFuture<?> allProbed() {
            return probed;
        }

        synchronized @Nullable SpilledJoin nextJob() {
            return jobs.poll();
        }

        synchronized void addJobs(List<SpilledJoin> more) {
            if (closed) {
                more.forEach(SpilledJoin::close);
            } else {
                jobs.addAll(more);
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            jobs.forEach(SpilledJoin::close);
            jobs.clear();
            probeSides.forEach(side -> side.finish().forEach(SpillPartitions.Part::close));
            probeSides.clear();
            if (build != null) {
                build.close();
            }
        }
    }
}
