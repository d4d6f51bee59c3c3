package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.Parcel;
import io.skep.llap.client.PlanImage;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Runs stage graphs as Tez DAGs, in Tez's local mode in this process; the tasks do their work in daemons, wherever those are. Slower to
 * start than direct dispatch, but each task is tried again by itself when it fails for reasons other than the query, and no more
 * tasks run at once than there are executors. Thread-safe.
 */
public final class TezRunner implements StageGraphRunner, AutoCloseable {
    /** So that one of an executor's tasks waits for rows while the other works. */
    private static final int SLOTS_PER_EXECUTOR = 2;

    private final Supplier<List<DaemonConnection>> daemons;
    private final TezSettings settings;
    private final TezSessionPool sessions;

    /** @param daemons the live daemons at a moment */
    public TezRunner(Supplier<List<DaemonConnection>> daemons, TezSettings settings) {
        this.daemons = daemons;
        this.settings = settings;
        TezSession.delete(settings.folder());
        this.sessions = new TezSessionPool(settings, new DaemonPlugins(settings.parallelTasks()));
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        TezDaemons live = new TezDaemons(UUID.randomUUID().toString(), daemons.get());
        if (live.connections().isEmpty()) {
            throw new SkepException(StandardErrorCode.QUEUE_FULL, "there is no LLAP daemon to run the query");
        }
        int slots = slots(live);
        TaskLayout layout =
                TaskLayout.of(run, Collections.nCopies(slots, 1), (scan, splits) -> live.assign(splits, slots));
        byte[] plan = PlanCodec.encode(run.graph());
        TezExecution execution = new TezExecution(
                run,
                layout,
                live,
                sessions,
                new PlanImage(
                        PlanCodec.hash(plan), Parcel.ofBytes(plan), run.graph().resources()));
        execution.start();
        return execution;
    }

    private int slots(TezDaemons live) {
        int executors = live.connections().stream()
                .mapToInt(daemon -> daemon.identity().executors())
                .sum();
        int most = Math.min(settings.parallelTasks(), SLOTS_PER_EXECUTOR * executors);
        return Math.max(most, live.connections().size());
    }

    /** Starts a session, so that the first query finds it warm. */
    public void warm() throws InterruptedException {
        sessions.release(sessions.acquire(), true);
    }

    TezSessionPool sessions() {
        return sessions;
    }

    @Override
    public void close() {
        sessions.close();
    }
}
