package io.skep.tez;

import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.Parcel;
import io.skep.llap.client.PlanImage;
import java.util.Collections;
import java.util.UUID;

/**
 * Runs stage graphs as Tez DAGs, in Tez's local mode on the daemon of this process. Slower to start than direct dispatch, but each
 * task is tried again by itself when it fails for reasons other than the query, and no more tasks run at once than there are
 * executors. Thread-safe.
 */
public final class TezRunner implements StageGraphRunner, AutoCloseable {
    private final DaemonConnection daemon;
    private final TezSettings settings;
    private final TezSessionPool sessions;
    private final String key = UUID.randomUUID().toString();

    public TezRunner(DaemonConnection daemon, TezSettings settings) {
        this.daemon = daemon;
        this.settings = settings;
        TezSession.delete(settings.folder());
        this.sessions = new TezSessionPool(settings);
        InProcessDaemons.enter(key, daemon);
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        int slots = settings.parallelTasks();
        TaskLayout layout =
                TaskLayout.of(run, Collections.nCopies(slots, 1), (scan, splits) -> inTurn(splits.size(), slots));
        byte[] plan = PlanCodec.encode(run.graph());
        TezExecution execution = new TezExecution(
                run, layout, daemon, sessions, key, new PlanImage(PlanCodec.hash(plan), Parcel.ofBytes(plan)));
        execution.start();
        return execution;
    }

    private static int[] inTurn(int splits, int slots) {
        int[] assigned = new int[splits];
        for (int i = 0; i < splits; i++) {
            assigned[i] = i % slots;
        }
        return assigned;
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
        InProcessDaemons.remove(key);
    }
}
