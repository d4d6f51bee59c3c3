package io.skep.tez.dag;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.tez.session.ContainerSite;
import io.skep.tez.session.TezSession;
import io.skep.tez.wire.ContainerConfig;
import io.skep.tez.wire.ContainerVertex;
import io.skep.tez.wire.QueryFolder;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.tez.dag.api.DAG;
import org.jspecify.annotations.Nullable;

/**
 * Runs a query's tasks in containers. Their plan and splits are in the query's folder. The root writes its rows there
 * too, as a whole, so a client sees the first row when the query has ended. The folder is deleted with the query.
 * Guarded by itself.
 */
final class ContainerPlace implements QueryPlace {
    private final StageGraphRun run;
    private final TaskLayout layout;
    private final ContainerSite site;
    private final ContainerConfig settings;
    private final CompletableFuture<QueryFolder> complete = new CompletableFuture<>();

    @GuardedBy("this")
    private @Nullable QueryFolder folder;

    @GuardedBy("this")
    private QueryFolder.@Nullable Result result;

    @GuardedBy("this")
    private boolean closed;

    ContainerPlace(StageGraphRun run, TaskLayout layout, ContainerSite site, ContainerConfig settings) {
        this.run = run;
        this.layout = layout;
        this.site = site;
        this.settings = settings;
    }

    @Override
    public void open() {}

    @Override
    public synchronized DAG dag(TezSession session) {
        // Left over from a session that did not accept the query.
        deleteFolder();
        QueryFolder made = site.folder(session, run.queryId().value());
        folder = made;
        byte[] plan = PlanCodec.encode(run.graph());
        ByteArrayOutputStream splits = new ByteArrayOutputStream();
        Map<Integer, List<ContainerVertex.Share>> shares = new HashMap<>();
        for (Fragment fragment : run.graph().fragments()) {
            shares.put(fragment.id(), shares(fragment, splits));
        }
        made.create(plan, splits.toByteArray());
        Map<String, String> files = made.send(run.graph().files());
        Map<Integer, ContainerVertex> payloads = new HashMap<>();
        for (Fragment fragment : run.graph().fragments()) {
            payloads.put(
                    fragment.id(),
                    new ContainerVertex(
                            run.queryId().value(),
                            PlanCodec.hash(plan),
                            made.path().toString(),
                            files,
                            fragment.id(),
                            fragment.id() == run.graph().root().id(),
                            fragment.output() instanceof Fragment.Output.Broadcast,
                            layout.outputPartitions(run.graph(), fragment.id()),
                            (long) settings.megabytes() << 20,
                            settings.cores(),
                            run.settings(),
                            List.of(),
                            List.of(),
                            false,
                            shares.getOrDefault(fragment.id(), List.of())));
        }
        return DagBuilder.build(run, layout, new ContainerVertices(site, settings, payloads));
    }

    private List<ContainerVertex.Share> shares(Fragment fragment, ByteArrayOutputStream splits) {
        List<ContainerVertex.Share> shares = new ArrayList<>();
        DataOutputStream out = new DataOutputStream(splits);
        for (TaskLayout.TaskPlace place : layout.tasks(fragment.id())) {
            int before = splits.size();
            try {
                DaemonVertices.share(place, 0).write(out);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            shares.add(new ContainerVertex.Share(place.drivers(), before, splits.size() - before));
        }
        return shares;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return complete.thenApplyAsync(
                this::read,
                work -> Thread.ofVirtual().name("result-" + run.queryId()).start(work));
    }

    private synchronized Optional<Batch> read(QueryFolder from) {
        if (closed) {
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was closed");
        }
        QueryFolder.Result open = result;
        if (open == null) {
            open = from.openResult();
            result = open;
        }
        return open.next();
    }

    @Override
    public synchronized void succeeded() {
        QueryFolder made = folder;
        if (made != null) {
            complete.complete(made);
        }
    }

    @Override
    public boolean isRootReachable() {
        return true;
    }

    @Override
    public boolean hasLost() {
        return false;
    }

    /** The master stops the containers with the DAG. */
    @Override
    public CompletableFuture<?> end(String reason) {
        complete.completeExceptionally(new SkepException(StandardErrorCode.OPERATION_CANCELED, reason));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized void close() {
        closed = true;
        QueryFolder.Result open = result;
        if (open != null) {
            open.close();
        }
        deleteFolder();
    }

    @GuardedBy("this")
    private void deleteFolder() {
        QueryFolder made = folder;
        if (made != null) {
            made.delete();
            folder = null;
        }
    }
}
