package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonLoad;
import java.util.List;

/**
 * Decides which daemon reads each range, for one set of daemons. A range goes to its home on the ring. A range that is
 * read very often has several homes and goes to the one that is free first. It goes elsewhere only when that is sooner:
 * when the wait for the home exceeds the wait for another daemon plus the extra cost of reading without a cache. The
 * other daemons are tried in ring order. So the overflow of a busy daemon always goes to the same few daemons, which
 * then have it cached. No daemon gets an amount of work that would make it finish later than its neighbours by more
 * than one such read. Thread-safe.
 *
 * <p>The load of a daemon has two parts. One is the work that this process has assigned to it, over all queries. The
 * other is the steps beyond these that the daemon reports, which other processes have assigned. The load and each new
 * range are scaled by how much longer than expected recent tasks took on the daemon. A daemon whose report is overdue
 * is expected to stay silent for as long again.
 */
public final class SplitPlacement {
    private final List<OutstandingWork> daemons;
    private final DaemonRing ring;
    private final DaemonLoads loads;
    private final ReadCosts costs;
    private final HotRanges heat;

    /** @param daemons at least one; results are indexes into this list */
    public SplitPlacement(List<OutstandingWork> daemons, DaemonLoads loads, ReadCosts costs, HotRanges heat) {
        this.daemons = List.copyOf(daemons);
        this.ring = new DaemonRing(daemons.stream().map(OutstandingWork::daemon).toList());
        this.loads = loads;
        this.costs = costs;
        this.heat = heat;
    }

    /** Begins the placement of one query's ranges. */
    public QueryPlacement begin() {
        return new QueryPlacement(this);
    }

    int size() {
        return daemons.size();
    }

    DaemonRing ring() {
        return ring;
    }

    ReadCosts costs() {
        return costs;
    }

    HotRanges heat() {
        return heat;
    }

    int executors(int daemon) {
        return Math.max(1, daemons.get(daemon).daemon().executors());
    }

    double slowness(int daemon) {
        return daemons.get(daemon).slowness();
    }

    /** Returns the estimated nanoseconds until a daemon has finished its current load. */
    double wait(int daemon) {
        OutstandingWork own = daemons.get(daemon);
        DaemonLoad said = loads.of(daemon);
        // While steps do not outnumber executors, no step waits for those of others.
        int others = Math.max(0, said.busy() + said.waiting() - Math.max(own.driversLately(), executors(daemon)));
        // The steps of other processes are assumed to be like those of this process.
        double step =
                Math.max((double) own.stepNanos(costs.stepNanos()), (double) own.nanos() / Math.max(1, own.drivers()));
        double work = (own.nanos() + others * step) / executors(daemon);
        return Math.max(work * own.slowness(), (double) said.overdueNanos());
    }
}
