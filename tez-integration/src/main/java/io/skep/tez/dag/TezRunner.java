package io.skep.tez.dag;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.tez.session.ContainerSite;
import io.skep.tez.session.LocalMasters;
import io.skep.tez.session.SessionPoolConfig;
import io.skep.tez.session.TezConfig;
import io.skep.tez.session.TezSessionConfig;
import io.skep.tez.session.TezSessionPool;
import io.skep.tez.session.YarnMasterConfig;
import io.skep.tez.session.YarnMasters;
import io.skep.tez.vertex.EvenSplits;
import io.skep.tez.wire.ContainerConfig;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs stage graphs as Tez DAGs, with application masters in this process (Tez's local mode) or in containers of YARN.
 * Tasks run in daemons, local or remote. With masters on YARN, tasks may also run in containers of YARN, if the query's
 * settings say so. A query starts more slowly than with direct dispatch. But a task is retried by itself when it fails
 * for reasons other than the query. The number of executors limits the number of tasks that run at once. Thread-safe.
 */
public final class TezRunner implements StageGraphRunner, AutoCloseable {
    /** Two slots, so that one of an executor's tasks can wait for rows while the other works. */
    private static final int SLOTS_PER_EXECUTOR = 2;

    private static final Logger LOG = LoggerFactory.getLogger(TezRunner.class);

    private static final long TIDY_SECONDS = 5;

    private final Supplier<List<DaemonConnection>> daemons;
    private final TezSessionConfig settings;
    private final TezSessionPool sessions;
    private final Optional<ContainerSite> containers;
    private final ScheduledExecutorService keeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tez-sessions").factory());

    private TezRunner(
            Supplier<List<DaemonConnection>> daemons,
            TezSessionConfig settings,
            TezSessionPool sessions,
            Optional<ContainerSite> containers) {
        this.daemons = daemons;
        this.settings = settings;
        this.sessions = sessions;
        this.containers = containers;
    }

    /**
     * Creates a runner with masters in this process, which are started when they are first needed.
     *
     * @param daemons returns the daemons that are live when it is called
     */
    public static TezRunner local(Supplier<List<DaemonConnection>> daemons, TezSessionConfig settings) {
        TezSessionPool sessions =
                new TezSessionPool(new LocalMasters(settings), SessionPoolConfig.local(settings.sessions()));
        return new TezRunner(daemons, settings, sessions, Optional.empty());
    }

    /**
     * Creates a runner with masters in containers of YARN, and keeps some of them.
     *
     * @param daemons returns the daemons that are live when it is called, in processes of their own
     * @throws SkepException INVALID_CONFIGURATION when no YARN is configured
     */
    public static TezRunner onYarn(
            Supplier<List<DaemonConnection>> daemons,
            TezSessionConfig settings,
            TezConfig config,
            YarnMasterConfig yarn) {
        SessionPoolConfig pool = new SessionPoolConfig(
                Math.max(settings.sessions(), config.queues().size() * config.mastersPerQueue()),
                config.queues(),
                config.mastersPerQueue(),
                config.idle());
        YarnMasters masters = new YarnMasters(settings, yarn, config.silence());
        Optional<ContainerSite> containers =
                UserGroupInformation.isSecurityEnabled() ? Optional.empty() : Optional.of(masters.containers());
        TezRunner runner = new TezRunner(daemons, settings, new TezSessionPool(masters, pool), containers);
        var _ = runner.keeper.scheduleWithFixedDelay(
                () -> runner.look(config.startEarly()), 0, TIDY_SECONDS, TimeUnit.SECONDS);
        return runner;
    }

    private void look(boolean keep) {
        try {
            sessions.tidy();
            if (keep) {
                sessions.startKept();
            }
        } catch (RuntimeException e) {
            LOG.error("The Tez sessions cannot be looked after", e);
        }
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        ContainerConfig config = ContainerConfig.of(run.settings());
        boolean full = config.whenFull() && containers.isPresent() && TezDaemons.areFull(daemons.get());
        return config.containers() || full ? inContainers(run, config) : inDaemons(run);
    }

    private StageGraphExecution inContainers(StageGraphRun run, ContainerConfig config) {
        ContainerSite site =
                containers.orElseThrow(() -> UserGroupInformation.isSecurityEnabled() ? withKerberos() : withoutYarn());
        site.check(config);
        int slots = site.containers(config);
        TaskLayout layout =
                TaskLayout.of(run, Collections.nCopies(slots, 1), (_, splits) -> EvenSplits.assign(splits, slots));
        return started(new TezExecution(run, layout, new ContainerPlace(run, layout, site, config), sessions));
    }

    private static SkepException withoutYarn() {
        return new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "tasks run in containers only where Tez runs on YARN, and tez.local.mode is true")
                .withHint("set tez.local.mode=false for the server, or " + ContainerConfig.MODE.name() + "=llap and "
                        + ContainerConfig.LLAP_MODE.name() + "=all");
    }

    /** The error where Hadoop has Kerberos, and rows between containers pass through the nodes' shuffle service. */
    public static SkepException withKerberos() {
        return new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "tasks do not run in containers of a YARN with Kerberos: the way of their rows through the"
                                + " nodes' shuffle service is not there yet")
                .withHint("run them in daemons: " + ContainerConfig.MODE.name() + "=llap and "
                        + ContainerConfig.LLAP_MODE.name() + "=all");
    }

    private static TezExecution started(TezExecution execution) {
        execution.start();
        return execution;
    }

    private StageGraphExecution inDaemons(StageGraphRun run) {
        TezDaemons live = new TezDaemons(UUID.randomUUID().toString(), daemons.get());
        if (live.connections().isEmpty()) {
            throw new SkepException(StandardErrorCode.QUEUE_FULL, "there is no LLAP daemon that Tez reaches")
                    .withHint("start daemons with bin/skep llap start, and name them with "
                            + "hive.llap.daemon.service.hosts; or let tasks run in containers of YARN, "
                            + ContainerConfig.MODE.name() + "=container");
        }
        int slots = slots(live);
        TaskLayout layout =
                TaskLayout.of(run, Collections.nCopies(slots, 1), (scan, splits) -> live.assign(splits, slots));
        byte[] plan = PlanCodec.encode(run.graph());
        EncodedPlan image = new EncodedPlan(
                PlanCodec.hash(plan), LazyEncoded.ofBytes(plan), run.graph().files());
        return started(new TezExecution(run, layout, new DaemonPlace(run, layout, live, image), sessions));
    }

    private int slots(TezDaemons live) {
        int executors = live.connections().stream()
                .mapToInt(daemon -> daemon.identity().executors())
                .sum();
        int most = Math.min(settings.parallelTasks(), SLOTS_PER_EXECUTOR * executors);
        return Math.max(most, live.connections().size());
    }

    /** Starts a session, so that the first query finds it warm. */
    public void warm() {
        sessions.release(sessions.acquire(Optional.empty()).join(), true);
    }

    public TezSessionPool sessions() {
        return sessions;
    }

    @Override
    public void close() {
        keeper.shutdownNow();
        sessions.close();
    }
}
