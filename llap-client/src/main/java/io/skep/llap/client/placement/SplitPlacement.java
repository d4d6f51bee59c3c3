package io.skep.llap.client.placement;

import io.skep.llap.client.DaemonLoad;
import java.util.List;

/**
 * Where ranges are read, for one set of daemons. A range goes to its home on the ring, or to the one of its homes that is free
 * first when it is read very much. It goes elsewhere only when that is sooner: when the wait for the home is longer than the
 * wait for another daemon and what reading the range without a cache costs more. The others are tried in the order of the
 * ring, so that what a busy daemon cannot take always goes to the same few, which then have it cached; and no daemon gets so
 * much that it would end later than its neighbours by more than such a read. Thread-safe.
 *
 * <p>What a daemon has to do is the work that this process has put there, over all queries, and the steps that the daemon has
 * beyond these by its own account, which others have put there. All of it, and what is added, takes longer by as much as tasks
 * have taken longer there lately than they should have.
 * One that is silent when it should speak is expected to be silent as long again.
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

    /** Begins to place the ranges of one query. */
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

    /** Nanoseconds until a daemon has done what it has to do now, as far as is known. */
    double wait(int daemon) {
        OutstandingWork own = daemons.get(daemon);
        DaemonLoad said = loads.of(daemon);
        // As long as steps do not outnumber executors nobody waits for those of others.
        int others = Math.max(0, said.busy() + said.waiting() - Math.max(own.driversLately(), executors(daemon)));
        // What others have given it is taken to be like what is ours.
        double step =
                Math.max((double) own.stepNanos(costs.stepNanos()), (double) own.nanos() / Math.max(1, own.drivers()));
        double work = (own.nanos() + others * step) / executors(daemon);
        return Math.max(work * own.slowness(), (double) said.overdueNanos());
    }
}
