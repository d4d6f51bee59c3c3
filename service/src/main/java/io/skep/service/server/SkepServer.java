package io.skep.service.server;

import io.skep.authentication.tls.TlsConfig;
import io.skep.authentication.tls.TlsStores;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.lifecycle.Closer;
import io.skep.common.time.SteadyClock;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.client.rpc.RemoteDaemonsConfig;
import io.skep.llap.client.zookeeper.ZooKeeperDaemons;
import io.skep.llap.server.DaemonSnapshot;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.metastore.Catalog;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.local.LocalMetastore;
import io.skep.ql.commit.StoredTableFiles;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.compiler.HiveSqlEngine;
import io.skep.ql.execution.QueryRuns;
import io.skep.ql.execution.RunningStatements;
import io.skep.ql.handler.HandlerReads;
import io.skep.ql.optimize.AlgebraMetadata;
import io.skep.ql.optimize.TableStatistics;
import io.skep.ql.path.PathConfig;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.physical.PartitionColumns;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.result.ResultCache;
import io.skep.ql.reuse.PlanCache;
import io.skep.ql.statement.StatementServices;
import io.skep.ql.system.SystemReads;
import io.skep.ql.transaction.StatementTransactions;
import io.skep.service.direct.DirectScheduler;
import io.skep.service.direct.SchedulerChoice;
import io.skep.service.direct.SuspectedDaemons;
import io.skep.service.discovery.ServerDiscovery;
import io.skep.service.flight.ExternalSplits;
import io.skep.service.flight.FlightServer;
import io.skep.service.flight.PartWrites;
import io.skep.service.schedule.ScheduledQueryService;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.OperationHistory;
import io.skep.service.wire.ThriftServer;
import io.skep.service.wire.WireServices;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.HadoopLogin;
import io.skep.storage.file.HadoopSettings;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.tez.dag.TezRunner;
import io.skep.webui.WebServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A complete server process: metastore, daemon, schedulers, SQL engine and HiveServer2's protocol. Only this class
 * wires the parts. They stop in the reverse order of their start.
 */
public final class SkepServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SkepServer.class);
    private static final String WAREHOUSE = "hive.metastore.warehouse.dir";
    /**
     * The maximum number of partition key values that pruning caches for all tables together. Each uses about 100
     * bytes.
     */
    private static final long PARTITION_VALUES = 2_000_000;

    private static final Duration DRAIN_LOOK = Duration.ofMillis(250);

    /** The number of RPC timeouts for which a daemon gets no tasks after another daemon has lost it. */
    private static final int DOUBTED_TIMEOUTS = 3;

    private final Closer parts;
    private final Map<String, String> settings;
    /** The clock for times that are shown, and for those that the catalog stores. */
    private final InstantSource clock = InstantSource.system();

    private final InstantSource steady = SteadyClock.start();
    private final OperationHistory history = new OperationHistory(clock);
    private final Catalog catalog;
    private final ServerDaemons daemons;
    private final HiveSqlEngine engine;
    private final ClientSessions sessions;
    private final ScheduledQueryService schedules;
    private final ClientPorts ports;
    private final Optional<FlightServer> flight;
    private final WebServer web;
    private final ServerAccess access;
    private final WarmUp training;
    private final Drain drain;
    private Optional<ServerDiscovery> discovery = Optional.empty();

    private SkepServer(ServerOptions options, Closer parts) {
        this.parts = parts;
        StartTimes times = new StartTimes();
        ServerConfig config = ServerConfig.of(options.site(), options.data());
        IgnoredSettings.line(options.site()).ifPresent(LOG::warn);
        DataDirectory data = parts.own(DataDirectory.open(options.data()));
        times.reached("data folder");
        Configuration hadoop = HadoopSettings.of(options.site());
        // All parts, the metastore's library too, reach HDFS by this login.
        config.login().ifPresent(login -> parts.own(HadoopLogin.start(login, hadoop)));
        // The metastore takes longest to start, so the other parts start in parallel.
        BackgroundStart<LocalMetastore> metastore =
                parts.own(BackgroundStart.of("metastore", () -> LocalMetastore.open(config.metastore(), data)));
        this.settings = new HashMap<>(options.site());
        settings.putIfAbsent(WAREHOUSE, config.metastore().warehouse());
        ZoneId zone = ZoneId.systemDefault();
        HadoopFileSystem files = new HadoopFileSystem(hadoop);
        FormatRegistry formats = new FormatRegistry(files, zone);
        times.reached("formats");
        this.daemons = parts.own(daemons(config, formats, files, zone));
        StoredTableFiles tableFiles =
                new StoredTableFiles(files, new SplitEnumerator(files, SplitEnumerator.DEFAULT_SPLIT_BYTES, formats));
        times.reached("daemon");
        SuspectedDaemons sure =
                new SuspectedDaemons(daemons::live, config.rpc().timeout().multipliedBy(DOUBTED_TIMEOUTS));
        DirectScheduler direct = new DirectScheduler(sure);
        TezRunner tez = parts.own(ServerTez.start(options, config, daemons, sure));
        QueryRuns runs = new QueryRuns(new SchedulerChoice(direct, tez, sure::note), new ResultCache(config.results()));
        times.reached("schedulers");
        InetAddress host = host(config.bindHost());
        this.access = parts.own(ServerAccess.open(
                config, host, options.site(), hadoop, () -> metastore.await().delegationTokens(), clock));
        this.web = parts.own(WebServer.start(host, options.uiPort(), config.uiNames(), access.pages(steady)));
        times.reached("pages");
        this.catalog = metastore.await().catalog();
        access.viewers().decideBy(metastore.await().privileges());
        access.authentication().checkTokenStore();
        TableCommits commits = parts.own(
                TableCommits.of(options.data().resolve("commits"), tableFiles, metastore.await(), config.commits()));
        commits.recover();
        times.reached("metastore");
        Tickets tickets = new Tickets(config.external().keys(), clock);
        PartWrites writes = new PartWrites(tickets, config.external().writeLifetime(), formats);
        ExternalSplits splits = splits(direct, config.external(), tickets, writes);
        PathPolicy policy = new PathPolicy(paths(options, config), files.qualified("/"));
        StatementServices services = services(config, metastore, runs, tableFiles, commits, policy, splits, formats);
        this.engine = new HiveSqlEngine(services, ServerSettings.KNOWN, settings);
        parts.own(
                ServerCompactions.start(config.compactions(), metastore.await(), services, files, formats, data.id()));
        this.sessions = parts.own(new ClientSessions(
                engine, config.sessions(), config.compiling(), history, access.audit(), clock, steady));
        services.running().listedBy(sessions::running);
        this.schedules = parts.own(new ScheduledQueryService(services.schedules(), sessions, config.schedules()));
        WireServices wire = new WireServices(sessions, catalog, config.wire(), access.authentication(), hadoop);
        this.ports = parts.own(ClientPorts.open(host, options.port(), wire, config.http(), steady));
        this.flight = config.flightPort().map(port -> parts.own(flight(config, host, port, hadoop, splits, writes)));
        web.show(new ServerPages(options, settings, sessions, history, daemons, direct, ports, steady));
        times.reached("SQL");
        this.training = parts.own(new WarmUp(engine, config.trainingQueries(), () -> sessions.runningStatements() > 0));
        this.drain = new Drain(sessions, steady, () -> discovery.ifPresent(ServerDiscovery::close));
        LOG.info("Started: {}", times);
    }

    private ExternalSplits splits(DirectScheduler direct, ExternalConfig config, Tickets tickets, PartWrites writes) {
        return new ExternalSplits(direct::homes, daemons::live, tickets, config.lifetime(), writes);
    }

    private StatementServices services(
            ServerConfig config,
            BackgroundStart<LocalMetastore> started,
            QueryRuns runs,
            StoredTableFiles tableFiles,
            TableCommits commits,
            PathPolicy policy,
            ExternalSplits splits,
            FormatRegistry formats) {
        LocalMetastore metastore = started.await();
        return new StatementServices(
                catalog,
                metastore.privileges(),
                new PartitionColumns(catalog, PARTITION_VALUES),
                new PlanCache(catalog),
                runs,
                tableFiles,
                commits,
                new AlgebraMetadata(new TableStatistics(catalog)),
                daemons.own().isPresent() ? PlanningLimits.DEFAULT : PlanningLimits.SPREAD,
                policy,
                config.metastore().warehouse(),
                clock,
                parts.own(StatementTransactions.of(metastore)),
                splits,
                new RunningStatements(),
                metastore.scheduledQueries(),
                metastore.dataConnectors(),
                new SystemReads(metastore.systemRows(), formats, tableFiles),
                new HandlerReads(formats, tableFiles));
    }

    private FlightServer flight(
            ServerConfig config,
            InetAddress host,
            int port,
            Configuration hadoop,
            ExternalSplits splits,
            PartWrites writes) {
        TlsConfig tls = config.wire().tls();
        FlightServer.Place place = new FlightServer.Place(
                new InetSocketAddress(host, port),
                ports.clientHost(),
                tls.enabled() ? Optional.of(TlsStores.open(tls, hadoop)) : Optional.empty(),
                access.authentication(),
                steady);
        return new FlightServer(place, config.external(), sessions, catalog, splits, writes, daemons.own());
    }

    private static PathConfig paths(ServerOptions options, ServerConfig config) {
        MetastoreConfig metastore = config.metastore();
        PathConfig open = PathConfig.of(options.data(), metastore.warehouse(), metastore.externalWarehouse())
                .withLocalRoots(config.localRoots())
                .withSchemes(config.schemes());
        return options.conf().map(open::withClosedFolder).orElse(open);
    }

    /** @throws SkepException DATA_DIRECTORY_IN_USE, or the error in the options */
    public static SkepServer start(ServerOptions options) {
        Closer parts = new Closer();
        try {
            SkepServer server = new SkepServer(options, parts);
            server.ports.start();
            server.training.start();
            server.schedules.start();
            server.takeDrainRequests(options.data());
            server.announce(ServerConfig.of(options.site(), options.data()));
            return server;
        } catch (RuntimeException e) {
            // Parts that started before the failed one hold the data folder's lock.
            parts.closeAfter(e);
            throw e;
        }
    }

    private void takeDrainRequests(Path data) {
        DrainRequest.clear(data);
        parts.own(sessions.timers()
                .every(
                        DRAIN_LOOK,
                        () -> DrainRequest.take(data)
                                .ifPresent(request ->
                                        drain.begin("because of " + DrainRequest.COMMAND, request.within()))));
    }

    /** The last step of a start, because clients that find the server must be served. */
    private void announce(ServerConfig config) {
        if (config.discovery().enabled()) {
            discovery = Optional.of(parts.own(ServerDiscovery.register(
                    config.discovery(),
                    config.bindHost(),
                    ports.port(),
                    ThriftServer.hiveVersion(),
                    ports.published(),
                    () -> drain.begin("because it was deleted from ZooKeeper", Optional.empty()))));
        }
    }

    private ServerDaemons daemons(ServerConfig config, FormatRegistry formats, HadoopFileSystem files, ZoneId zone) {
        RemoteDaemonsConfig remote = config.remoteDaemons();
        if (!remote.daemons().isEmpty()) {
            return SiteDaemons.connect(config.rpc(), remote::daemons, remote.patience());
        }
        if (config.registry().name().isPresent()) {
            ZooKeeperDaemons known = parts.own(ZooKeeperDaemons.connect(config.registry()));
            return SiteDaemons.connect(config.rpc(), known, remote.patience());
        }
        LlapConfig.memoryNote().ifPresent(LOG::info);
        return EmbeddedDaemon.start(config.daemon(), formats, files, zone);
    }

    private static InetAddress host(String name) {
        try {
            return InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    ServerConfig.BIND_HOST.name() + " '" + name + "' is unknown",
                    e);
        }
    }

    /** Returns the port of the binary transport if there is one, otherwise that of the HTTP transport. */
    public int port() {
        return ports.port();
    }

    public String jdbcUrl() {
        return ports.jdbcUrl();
    }

    /** Returns the port of the HTTP transport, if there is one. */
    public Optional<Integer> httpPort() {
        return ports.httpPort();
    }

    /** Returns the port of Arrow Flight SQL, if there is one. */
    public Optional<FlightServer> flight() {
        return flight;
    }

    public String uiUrl() {
        return access.pageScheme() + "://" + ports.clientHost() + ":" + web.port() + "/";
    }

    public Map<String, String> settings() {
        return settings;
    }

    public Catalog catalog() {
        return catalog;
    }

    public ClientSessions sessions() {
        return sessions;
    }

    public OperationHistory history() {
        return history;
    }

    /**
     * Returns a watch that checks, once it is started, whether this server responds. For a process that runs only this
     * server.
     */
    public LivenessWatch livenessWatch(LivenessConfig config, Consumer<String> end) {
        LivenessProbe probe = new LivenessProbe(ports, engine, daemons.own());
        return new LivenessWatch(config, probe, history::progress, new ProcessorShortage(), end);
    }

    /**
     * Waits until the queries that the server runs by itself after a start are complete. Returns the number of queries
     * that succeeded.
     */
    public int awaitTraining() throws InterruptedException {
        return training.await();
    }

    /**
     * Returns a future that completes when a drained server may stop: no session is open, or the time limit has passed.
     */
    public CompletableFuture<@Nullable Void> drained() {
        return drain.done();
    }

    /**
     * Returns the current state of this process's daemon.
     *
     * @throws SkepException NOT_SUPPORTED when queries run in other processes
     */
    public DaemonSnapshot snapshot() {
        return ownDaemon().snapshot();
    }

    /**
     * Returns the sizes of this process's daemon.
     *
     * @throws SkepException NOT_SUPPORTED when queries run in other processes
     */
    public LlapConfig daemonConfig() {
        return ownDaemon().config();
    }

    private LlapDaemon ownDaemon() {
        return daemons.own()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "this server's daemons are other processes"));
    }

    @Override
    public void close() {
        parts.close();
    }
}
