package io.skep.engine.operator.join;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.filter.RuntimeFilterFuture;
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

/**
 * The state that the drivers of a join share: its build side, and if that has spilled, the partitions that are not
 * joined yet.
 */
public final class HashJoin {
    private HashJoin() {}

    /** What a driver must do after it has probed all its rows. */
    enum RemainingWork {
        NOTHING,
        /** Return the rows of the table without a match. */
        UNMATCHED,
        /** Join partitions, after all drivers have probed their rows. */
        PARTITIONS
    }

    /** The shared state of one join. Guarded by its own monitor. */
    public static final class Shared implements AutoCloseable {
        private final JoinSpec spec;
        private final List<RuntimeFilterFuture> promises;
        private final int buildDrivers;

        @GuardedBy("this")
        private final Deque<SpilledJoin> jobs = new ArrayDeque<>();

        @GuardedBy("this")
        private final List<SpillPartitions> probeSides = new ArrayList<>();

        private final CompletableFuture<@Nullable Void> finishProbing = new CompletableFuture<>();

        @GuardedBy("this")
        private @Nullable JoinBuild build;

        @GuardedBy("this")
        private int probing;

        @GuardedBy("this")
        private boolean closed;

        /**
         * @param used output columns that any downstream operator reads
         * @param promises filters for which scans wait
         * @param buildDrivers number of drivers that fill the build side
         * @param probeDrivers number of drivers that probe
         */
        public Shared(
                PlanNode.Join join,
                BitSet used,
                List<RuntimeFilterFuture> promises,
                int buildDrivers,
                int probeDrivers) {
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
         * Reports that a driver has probed all its rows and does not access the table any more.
         *
         * @param spilledProbe the rows that the driver could not probe, or null
         * @return the remaining work of the driver
         */
        RemainingWork finishProbing(@Nullable SpillPartitions spilledProbe) {
            RemainingWork rest;
            boolean last;
            synchronized (this) {
                if (spilledProbe != null && closed) {
                    spilledProbe.finish().forEach(SpillPartitions.Part::close);
                } else if (spilledProbe != null) {
                    probeSides.add(spilledProbe);
                }
                last = --probing == 0;
                rest = closed ? RemainingWork.NOTHING : rest(build(), last);
            }
            if (last) {
                finishProbing.complete(null);
            }
            return rest;
        }

        @GuardedBy("this")
        private RemainingWork rest(JoinBuild full, boolean last) {
            if (last && full.endProbing(spec.keepsRight())) {
                return spec.keepsRight() ? RemainingWork.UNMATCHED : RemainingWork.NOTHING;
            }
            if (last) {
                jobs.addAll(SpilledJoin.pair(full.takeParts(), probeSides));
                probeSides.clear();
            }
            return last || full.onDisk() ? RemainingWork.PARTITIONS : RemainingWork.NOTHING;
        }

        /** Returns a future that is done when all drivers have probed all their rows. */
        CompletableFuture<?> allProbed() {
            return finishProbing;
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
