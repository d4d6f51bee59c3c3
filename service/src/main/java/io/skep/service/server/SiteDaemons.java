package io.skep.service.server;

import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonEndpoints;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RemoteDaemons;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.view.DaemonStats;
import io.skep.webui.ServerView.FigureView;
import io.skep.webui.ServerView.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Daemons in separate processes. */
final class SiteDaemons implements ServerDaemons {
    /** These tasks only wait for daemons and do no work here. */
    private static final int PARALLEL_TASKS = 64;

    private final RpcThreads threads;
    private final RemoteDaemons daemons;

    private SiteDaemons(RpcThreads threads, RemoteDaemons daemons) {
        this.threads = threads;
        this.daemons = daemons;
    }

    /** @param patience how long a query waits when no daemon is there */
    static SiteDaemons connect(RpcConfig config, DaemonEndpoints source, Duration patience) {
        RpcThreads threads = new RpcThreads("rpc");
        try {
            DaemonConnector connector =
                    new DaemonConnector(config, threads, new PageCodec(BatchCodec::encode, BatchCodec::decode));
            return new SiteDaemons(threads, new RemoteDaemons(connector, source, patience));
        } catch (RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    @Override
    public List<DaemonConnection> live() {
        return daemons.live();
    }

    @Override
    public Optional<LlapDaemon> own() {
        return Optional.empty();
    }

    @Override
    public int parallelTasks() {
        return PARALLEL_TASKS;
    }

    @Override
    public List<FigureView> stats() {
        List<RemoteDaemon> alive = daemons.alive();
        List<FigureView> views = new ArrayList<>();
        views.addAll(DaemonStats.heap());
        views.add(new FigureView("Daemons", "connected", alive.size(), Unit.COUNT));
        for (RemoteDaemon daemon : alive) {
            DaemonStatus status = daemon.status();
            String group = "Daemon " + daemon.endpoint();
            views.addAll(List.of(
                    new FigureView(group, "executors", daemon.identity().executors(), Unit.COUNT),
                    new FigureView(group, "at work", status.busy(), Unit.COUNT),
                    new FigureView(group, "waiting steps", status.queuedSteps(), Unit.COUNT),
                    new FigureView(group, "queries", status.queries(), Unit.COUNT),
                    new FigureView(group, "tasks", status.tasks(), Unit.COUNT),
                    new FigureView(group, "reserved by queries", status.reservedBytes(), Unit.BYTES),
                    new FigureView(group, "for queries", status.memoryBytes(), Unit.BYTES),
                    new FigureView(group, "in use", status.cacheBytes(), Unit.BYTES),
                    new FigureView(group, "capacity", status.cacheCapacityBytes(), Unit.BYTES),
                    new FigureView(group, "hits", status.cacheHits(), Unit.COUNT),
                    new FigureView(group, "misses", status.cacheMisses(), Unit.COUNT)));
        }
        return views;
    }

    @Override
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        daemons.states().forEach((endpoint, state) -> values.put("daemon " + endpoint, state));
        return values;
    }

    @Override
    public void close() {
        daemons.close();
        threads.close();
    }
}
