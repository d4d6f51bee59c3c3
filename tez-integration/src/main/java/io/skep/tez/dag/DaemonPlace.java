package io.skep.tez.dag;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.tez.plugin.InProcessDaemons;
import io.skep.tez.session.TezSession;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.tez.dag.api.DAG;
import org.jspecify.annotations.Nullable;

/** Runs a query's tasks in daemons. Rows arrive while the root's task runs. */
final class DaemonPlace implements QueryPlace {
    private final StageGraphRun run;
    private final TaskLayout layout;
    private final TezDaemons daemons;
    private final EncodedPlan plan;
    private @Nullable PageStream result;

    DaemonPlace(StageGraphRun run, TaskLayout layout, TezDaemons daemons, EncodedPlan plan) {
        this.run = run;
        this.layout = layout;
        this.daemons = daemons;
        this.plan = plan;
    }

    @Override
    public void open() {
        InProcessDaemons.register(daemons.key(), daemons.connections());
        daemons.connections().forEach(daemon -> daemon.register(run.queryId(), plan));
        int root = run.graph().root().id();
        result = rootDaemon().open(run.queryId(), new TaskAttemptId(root, 0, 0), 0);
    }

    @Override
    public DAG dag(TezSession session) {
        // The master's own connections to daemons may be faster than the connections that carried the plan.
        daemons.settle().join();
        return DagBuilder.build(run, layout, new DaemonVertices(run, layout, plan.name(), daemons));
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        PageStream stream = result;
        return stream == null
                ? CompletableFuture.failedFuture(
                        new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was closed"))
                : stream.next();
    }

    @Override
    public void succeeded() {}

    private DaemonConnection rootDaemon() {
        return daemons.atSlot(layout.tasks(run.graph().root().id()).getFirst().daemon());
    }

    @Override
    public boolean isRootReachable() {
        return !rootDaemon().isLost();
    }

    @Override
    public boolean hasLost() {
        return daemons.connections().stream().anyMatch(DaemonConnection::isLost);
    }

    @Override
    public CompletableFuture<?> end(String reason) {
        return CompletableFuture.allOf(daemons.connections().stream()
                .map(daemon -> daemon.finishQuery(run.queryId(), reason))
                .toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void close() {
        InProcessDaemons.remove(daemons.key());
    }
}
