package io.skep.bench.simulation;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonLoad;
import io.skep.llap.client.placement.ReadCosts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/** One incarnation of a daemon: executors that run pieces of tasks in turn, and an LRU cache of ranges. */
final class SimulatedDaemon {
    /** A piece that waits for an executor. */
    private record Waiting(SimulatedTask task, SimulatedTask.Piece piece, long since) {}

    private static final long HEARTBEAT = 250_000_000L;

    final DaemonIdentity identity;
    private final VirtualTime time;
    private final Random random;
    private final Tally tally;
    private final double slowness;
    private final Queue<Waiting> queue = new ArrayDeque<>();
    private final LinkedHashMap<Long, Long> cache = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<QueryId, List<SimulatedTask>> tasks = new HashMap<>();
    private long cachedBytes;
    private int busy;
    private boolean dead;
    private long hangsUntil;
    private DaemonLoad said = DaemonLoad.NONE;
    private long silentSince;
    private long saidAt = -HEARTBEAT;

    SimulatedDaemon(DaemonIdentity identity, VirtualTime time, Random random, Tally tally, double slowness) {
        this.identity = identity;
        this.time = time;
        this.random = random;
        this.tally = tally;
        this.slowness = slowness;
    }

    /** Runs an action when the daemon is not suspended. Never runs it when the daemon is dead. */
    void whenAwake(Runnable action) {
        if (dead) {
            return;
        }
        if (time.now() < hangsUntil) {
            time.after(hangsUntil - time.now(), () -> whenAwake(action));
        } else {
            action.run();
        }
    }

    void add(SimulatedTask task) {
        tasks.computeIfAbsent(task.submission.query(), ignored -> new ArrayList<>())
                .add(task);
    }

    /** Begins a task whose inputs are available. */
    void begin(SimulatedTask task) {
        for (int i = 0; i < task.submission.drivers(); i++) {
            enqueueNext(task);
        }
    }

    private void enqueueNext(SimulatedTask task) {
        SimulatedTask.Piece piece = task.pieces.poll();
        if (piece != null) {
            task.running++;
            queue.add(new Waiting(task, piece, time.now()));
            dispatch();
        }
    }

    private void dispatch() {
        while (busy < identity.executors() && !queue.isEmpty() && !dead) {
            Waiting next = queue.remove();
            if (next.task().over) {
                continue;
            }
            tally.longestWait = Math.max(tally.longestWait, time.now() - next.since());
            busy++;
            tally.check(busy <= identity.executors(), "an executor of " + identity + " has two pieces at once");
            time.after(nanos(next.piece()), () -> whenAwake(() -> worked(next.task())));
        }
    }

    private void worked(SimulatedTask task) {
        busy--;
        task.running--;
        if (!task.over) {
            enqueueNext(task);
            if (task.running == 0) {
                forget(task);
                task.end(null);
            }
        }
        dispatch();
    }

    private long nanos(SimulatedTask.Piece piece) {
        ReadCosts costs = ReadCosts.MEASURED;
        long nanos = costs.cachedNanos(piece.bytes());
        if (piece.key() != 0) {
            if (cache.get(piece.key()) != null) {
                tally.cacheHits++;
            } else {
                tally.cacheMisses++;
                nanos += costs.awayNanos(piece.bytes());
                keep(piece);
            }
        }
        return (long) (nanos * slowness * (0.8 + 0.4 * random.nextDouble())) + 1;
    }

    private void keep(SimulatedTask.Piece piece) {
        cache.put(piece.key(), piece.bytes());
        cachedBytes += piece.bytes();
        var oldest = cache.entrySet().iterator();
        while (cachedBytes > SimulationPlan.CACHE_BYTES && oldest.hasNext()) {
            cachedBytes -= oldest.next().getValue();
            oldest.remove();
        }
    }

    private void forget(SimulatedTask task) {
        List<SimulatedTask> left = tasks.get(task.submission.query());
        if (left != null && left.remove(task) && left.isEmpty()) {
            tasks.remove(task.submission.query());
        }
    }

    /** Stops everything of a query on this daemon. */
    void end(QueryId query, SkepException reason) {
        List<SimulatedTask> left = tasks.remove(query);
        if (left != null) {
            left.forEach(task -> task.end(reason));
        }
    }

    /** Returns the load of its last heartbeat. */
    DaemonLoad load() {
        if (!dead && time.now() >= hangsUntil) {
            if (time.now() - saidAt >= HEARTBEAT) {
                saidAt = time.now();
                said = new DaemonLoad(busy, queue.size(), 0);
            }
            return said;
        }
        return new DaemonLoad(said.busy(), said.waiting(), Math.max(0, time.now() - silentSince - HEARTBEAT));
    }

    void hang(long nanos) {
        silentSince = time.now();
        hangsUntil = Math.max(hangsUntil, time.now() + nanos);
    }

    void die() {
        silentSince = time.now() < hangsUntil ? silentSince : time.now();
        dead = true;
        tasks.clear();
        queue.clear();
    }

    boolean isDead() {
        return dead;
    }

    boolean hasTasks() {
        return !tasks.isEmpty();
    }
}
