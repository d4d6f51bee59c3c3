package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.Parcel;
import io.skep.llap.client.PlanImage;
import io.skep.llap.client.placement.SplitPlacement;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.function.Supplier;

/** Runs stage graphs on daemons, without Tez. One message a task; nothing waits in {@link #start}. Thread-safe. */
public final class DirectScheduler implements StageGraphRunner {
    private final Supplier<List<DaemonConnection>> daemons;

    /** @param daemons the live daemons at a moment */
    public DirectScheduler(Supplier<List<DaemonConnection>> daemons) {
        this.daemons = daemons;
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        List<DaemonConnection> live = daemons.get();
        if (live.isEmpty()) {
            throw new SkepException(StandardErrorCode.QUEUE_FULL, "there is no LLAP daemon to run the query");
        }
        List<DaemonIdentity> identities =
                live.stream().map(DaemonConnection::identity).toList();
        TaskLayout layout = TaskLayout.of(
                run, identities.stream().map(DaemonIdentity::executors).toList(), splits -> place(identities, splits));
        // The plan has this statement's literals in it: it is not sent twice, so its content need not be its name.
        PlanImage plan =
                new PlanImage(run.queryId().value(), Parcel.of(run.graph(), () -> PlanCodec.encode(run.graph())));
        DirectExecution execution = new DirectExecution(run, layout, live, plan);
        execution.start();
        return execution;
    }

    private static int[] place(List<DaemonIdentity> daemons, List<Split> splits) {
        if (daemons.size() == 1) {
            return new int[splits.size()];
        }
        long[] keys = new long[splits.size()];
        long[] weights = new long[splits.size()];
        for (int i = 0; i < keys.length; i++) {
            Split split = splits.get(i);
            keys[i] = SplitPlacement.key(split.file().path(), split.start());
            weights[i] = Math.max(1, split.length());
        }
        return new SplitPlacement(daemons).place(keys, weights);
    }
}
