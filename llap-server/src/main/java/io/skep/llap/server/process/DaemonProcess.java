package io.skep.llap.server.process;

import io.skep.authentication.UserAuthentication;
import io.skep.authentication.http.HttpTls;
import io.skep.authentication.http.LoginLog;
import io.skep.authentication.http.PageLogin;
import io.skep.authentication.tls.TlsContext;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.lifecycle.Closer;
import io.skep.common.time.SteadyClock;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.audit.AuditWriter;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.client.registry.DaemonCapacity;
import io.skep.llap.client.registry.DaemonOffer;
import io.skep.llap.client.registry.DaemonRegistration;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.PeerDaemons;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.client.zookeeper.ZooKeeperDaemons;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.external.ExternalPort;
import io.skep.llap.server.external.ExternalStreams;
import io.skep.llap.server.external.FlightPort;
import io.skep.llap.server.external.ReadLog;
import io.skep.llap.server.rpc.DaemonServer;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.HadoopLogin;
import io.skep.storage.file.HadoopSettings;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.registry.FormatRegistry;
import io.skep.webui.PageAccess;
import io.skep.webui.WebServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon with all its dependencies. This is the only place that wires its parts. They are closed in the reverse order
 * of their start.
 */
public final class DaemonProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DaemonProcess.class);

    private static final long DRAIN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Closer parts;
    private final LlapDaemon daemon;
    private final DaemonServer server;
    private final WebServer web;
    private final String pageScheme;
    private final Optional<DaemonRegistration> registration;
    private final Duration drainTimeout;
    private final CompletableFuture<@Nullable Void> askedToLeave = new CompletableFuture<>();

    private DaemonProcess(DaemonOptions options, Closer parts) {
        this.parts = parts;
        DaemonConfig config = DaemonConfig.of(options.site(), options.data());
        DaemonFolder folder = parts.own(DaemonFolder.open(options.data()));
        Configuration hadoop = HadoopSettings.of(options.site());
        config.login().ifPresent(login -> parts.own(HadoopLogin.start(login, hadoop)));
        MemoryPlan memory = MemoryPlan.of(config.sizes());
        memory.enforce();
        LOG.info("Memory plan: {}", memory);
        LlapConfig.memoryNote().ifPresent(LOG::info);
        InetAddress host = host(config.bindHost());
        PageCodec codec = new PageCodec(BatchCodec::encode, BatchCodec::decode);
        RpcThreads threads = parts.own(new RpcThreads("rpc"));
        this.server = DaemonServer.start(new InetSocketAddress(host, config.port()), config.rpc(), threads, codec);
        parts.own(() -> server.close());
        Optional<DaemonAuditLog> audit = AuditWriter.open(config.audit())
                .map(writer -> parts.own(new DaemonAuditLog(writer, InstantSource.system())));
        this.web = parts.own(pages(config, host, hadoop, audit));
        this.pageScheme = config.pages().tls().enabled() ? "https" : "http";
        DaemonIdentity named = identity(config, host, server.port());
        this.registration = register(config, named, web.port());
        this.drainTimeout = config.drainTimeout();
        DaemonIdentity identity =
                registration.map(one -> inSlot(named, one.identity().slot())).orElse(named);
        this.daemon = daemon(hadoop, config, identity, server.peers());
        parts.own(() -> daemon.close());
        if (config.external().port().isPresent()) {
            parts.own(external(config, host, identity, threads, audit));
        }
        // Calls over the network end before the daemon does, with a reason that clients can act on.
        parts.own(() -> server.close());
        // The daemon leaves the registry first, so that no new client finds it.
        registration.ifPresent(parts::own);
        web.show(new DaemonPages(options, config, memory, daemon, server));
        server.serve(daemon, () -> askedToLeave.complete(null));
        folder.note(Map.of(
                "pid",
                Long.toString(ProcessHandle.current().pid()),
                "rpc",
                endpoint().toString(),
                "ui.url",
                uiUrl(),
                "drain.seconds",
                Long.toString(drainTimeout.toSeconds())));
    }

    /** @throws SkepException DATA_DIRECTORY_IN_USE, or INVALID_CONFIGURATION that says what is wrong */
    public static DaemonProcess start(DaemonOptions options) {
        Closer parts = new Closer();
        try {
            return new DaemonProcess(options, parts);
        } catch (RuntimeException e) {
            parts.closeAfter(e);
            throw e;
        }
    }

    private static LlapDaemon daemon(
            Configuration hadoop, DaemonConfig config, DaemonIdentity identity, PeerDaemons peers) {
        ZoneId zone = ZoneId.systemDefault();
        // Queries continue to read while the process drains after a request to stop.
        hadoop.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
        HadoopFileSystem files = new HadoopFileSystem(hadoop);
        FormatRegistry formats = new FormatRegistry(files, zone);
        DaemonResources resources = new DaemonResources(config.sizes(), formats);
        DaemonStorage storage = DaemonStorage.of(resources, formats, formats, files, new PartitionValues(zone));
        return new LlapDaemon(identity, config.sizes(), resources, storage, peers);
    }

    /** Opens the port of the web pages, behind the login that servers of the site have. */
    private static WebServer pages(
            DaemonConfig config, InetAddress host, Configuration site, Optional<DaemonAuditLog> audit) {
        PagesConfig pages = config.pages();
        UserAuthentication users = UserAuthentication.open(pages.authentication(), site);
        Optional<TlsContext> tls = TlsContext.open(pages.tls(), site);
        if (users.verifiesPasswords() && tls.isEmpty() && !host.isLoopbackAddress()) {
            LOG.warn("Passwords of users of the web pages can be read on the network: hive.llap.daemon.web.ssl=true"
                    + " encrypts them");
        }
        LoginLog log = audit.<LoginLog>map(open -> open).orElse(LoginLog.NONE);
        PageAccess access =
                new PageAccess(tls.map(HttpTls::of), PageLogin.of(users, SteadyClock.start(), pages::isViewer, log));
        return WebServer.start(host, config.uiPort(), config.pageHosts(), access);
    }

    /** Opens the port from which programs outside of the server read rows. */
    private ExternalPort external(
            DaemonConfig config,
            InetAddress host,
            DaemonIdentity identity,
            RpcThreads threads,
            Optional<DaemonAuditLog> audit) {
        if (config.external().keyFile().isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "a daemon that external readers may use needs the keys of their tickets")
                    .withHint("set " + ExternalConfig.KEY_FILE.name() + " for servers and daemons");
        }
        Tickets tickets = new Tickets(config.external().keys(), InstantSource.system());
        FlightPort.Place place = new FlightPort.Place(
                new InetSocketAddress(host, config.external().port().orElseThrow()),
                DaemonServer.credentials(config.rpc(), false),
                config.rpc().tlsCertificate().isPresent(),
                ExternalPort.maxMessageBytes());
        ReadLog log = audit.<ReadLog>map(open -> open).orElse(ReadLog.NONE);
        ExternalPort port =
                new ExternalPort(place, daemon, tickets, new ExternalStreams(config.external(), threads), log);
        daemon.announceExternal(port.location(identity.endpoint().orElseThrow().host()));
        return port;
    }

    private static DaemonIdentity identity(DaemonConfig config, InetAddress host, int port) {
        DaemonEndpoint endpoint = new DaemonEndpoint(config.advertisedHost().orElseGet(() -> ownName(host)), port);
        int slot = config.slot().orElse(endpoint.toString().hashCode() & Integer.MAX_VALUE);
        return new DaemonIdentity(
                slot, UUID.randomUUID().toString(), config.sizes().executors(), Optional.of(endpoint));
    }

    /** Registers the daemon where servers discover it, if the settings name a registry. */
    private Optional<DaemonRegistration> register(DaemonConfig config, DaemonIdentity identity, int uiPort) {
        if (config.registry().name().isEmpty()) {
            return Optional.empty();
        }
        ZooKeeperDaemons registry = parts.own(ZooKeeperDaemons.connect(config.registry()));
        DaemonEndpoint endpoint = identity.endpoint().orElseThrow();
        LlapConfig sizes = config.sizes();
        return Optional.of(registry.register(new DaemonOffer(
                identity.incarnation(),
                endpoint.host(),
                endpoint.port(),
                uiPort,
                new DaemonCapacity(sizes.executors(), sizes.maxMemoryBytes(), sizes.cacheBytes()))));
    }

    private static DaemonIdentity inSlot(DaemonIdentity daemon, int slot) {
        return new DaemonIdentity(slot, daemon.incarnation(), daemon.executors(), daemon.endpoint());
    }

    private static String ownName(InetAddress host) {
        if (!host.isAnyLocalAddress()) {
            return host.getHostAddress();
        }
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION, "this machine does not know its own name: " + e, e)
                    .withHint("set " + DaemonConfig.ADVERTISED_HOST.name());
        }
    }

    private static InetAddress host(String name) {
        try {
            return InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    DaemonConfig.BIND_HOST.name() + " '" + name + "' is unknown",
                    e);
        }
    }

    /** The address at which servers and other daemons reach it. */
    public DaemonEndpoint endpoint() {
        return daemon.identity().endpoint().orElseThrow();
    }

    public String uiUrl() {
        return pageScheme + "://" + new DaemonEndpoint(endpoint().host(), web.port()) + "/";
    }

    Duration drainTimeout() {
        return drainTimeout;
    }

    /** Whether no query can make progress any more. */
    boolean exhausted() {
        return daemon.exhausted();
    }

    /**
     * Completes when a connected process has asked the daemon to drain and stop. The starter of this process must carry
     * that out.
     */
    CompletableFuture<@Nullable Void> askedToLeave() {
        return askedToLeave.copy();
    }

    /**
     * Leaves the registry. Then waits until all connected processes have acknowledged that and have ended their queries
     * here, or until the drain timeout.
     */
    public void drain() {
        registration.ifPresent(DaemonRegistration::close);
        server.leave();
        long deadline = System.nanoTime() + drainTimeout.toNanos();
        boolean told = false;
        while (!server.isLeavingAcknowledged() || !daemon.queries().isEmpty()) {
            if (System.nanoTime() - deadline >= 0) {
                LOG.warn(
                        "Draining has taken {} s: queries {} end with the daemon",
                        drainTimeout.toSeconds(),
                        daemon.queries());
                return;
            }
            if (!told) {
                told = true;
                LOG.info("The daemon drains: it waits for queries {}", daemon.queries());
            }
            LockSupport.parkNanos(DRAIN_LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        parts.close();
    }
}
