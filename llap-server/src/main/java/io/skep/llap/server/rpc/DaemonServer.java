package io.skep.llap.server.rpc;

import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.PeerDaemons;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.server.LlapDaemon;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens for the servers and daemons of a site on behalf of one daemon, and connects it to others. It starts listening
 * before the daemon exists, because the daemon's identity contains the address.
 */
public final class DaemonServer implements AutoCloseable {
    private static final long END_SECONDS = 5;

    /**
     * The maximum calls of a connection: greeting, control, pages in both directions, and files that the daemon has
     * requested.
     */
    private static final int MAX_CALLS = 64;

    private static final int MAX_METADATA_BYTES = 16 << 10;

    /** A connection without a call for this time is useless and is closed. */
    private static final Duration MAX_IDLE = Duration.ofMinutes(1);

    private static final int MAX_RESETS = 200;
    private static final int RESET_WINDOW_SECONDS = 30;
    private static final long MIN_MESSAGE_LIMIT = 128L << 20;

    private static final Status STARTING = Status.UNAVAILABLE.withDescription("the daemon is starting");

    private final RpcConfig config;
    private final Optional<SharedSecret> secret;
    private final RpcThreads threads;
    private final PageCodec codec;
    private final PeerDaemons peers;
    private final UnprovedConnections unproved;
    private final Server server;
    private volatile @Nullable DaemonService service;

    private DaemonServer(
            InetSocketAddress address,
            RpcConfig config,
            Optional<SharedSecret> secret,
            RpcThreads threads,
            PageCodec codec)
            throws IOException {
        this.config = config;
        this.secret = secret;
        this.threads = threads;
        this.codec = codec;
        this.peers = new PeerDaemons(new DaemonConnector(config, threads, codec));
        this.unproved = new UnprovedConnections(config.timeout());
        this.server = NettyServerBuilder.forAddress(
                        address, AcceptedConnections.watched(credentials(config, config.peerCertificates()), unproved))
                .executor(threads.workers())
                .flowControlWindow(DaemonRpc.STREAM_WINDOW_BYTES)
                .maxInboundMessageSize(maxMessageBytes())
                .maxInboundMetadataSize(MAX_METADATA_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS)
                .maxConnectionIdle(MAX_IDLE.toSeconds(), TimeUnit.SECONDS)
                .maxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS)
                .handshakeTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .decompressorRegistry(DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false))
                .addStreamTracerFactory(GreetingLimit.factory())
                .addTransportFilter(ConnectionGuard.filter())
                .addService(ServerServiceDefinition.builder(DaemonRpc.SERVICE)
                        .addMethod(DaemonRpc.GREET, (call, headers) -> route(call, headers, DaemonService::greet))
                        .addMethod(DaemonRpc.CONTROL, (call, headers) -> route(call, headers, DaemonService::control))
                        .addMethod(DaemonRpc.PAGES, (call, headers) -> route(call, headers, DaemonService::pages))
                        .addMethod(
                                DaemonRpc.PAGES_BACK, (call, headers) -> route(call, headers, DaemonService::pagesBack))
                        .addMethod(DaemonRpc.PUT, (call, headers) -> route(call, headers, DaemonService::put))
                        .build())
                .build()
                .start();
    }

    /** The message limit of trusted peers. A message is collected in memory before it is handled. */
    private static int maxMessageBytes() {
        return (int) Math.clamp(Runtime.getRuntime().maxMemory() / 4, MIN_MESSAGE_LIMIT, Integer.MAX_VALUE);
    }

    private interface Handler {
        ServerCall.Listener<byte[]> handle(DaemonService service, ServerCall<byte[], byte[]> call, Metadata headers);
    }

    private ServerCall.Listener<byte[]> route(ServerCall<byte[], byte[]> call, Metadata headers, Handler handler) {
        DaemonService there = service;
        if (there == null) {
            call.close(STARTING, new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return handler.handle(there, call, headers);
    }

    /**
     * Starts listening. Until {@link #serve} is called, clients are asked to retry later.
     *
     * @param address address to listen on; port 0 for any free one
     * @param threads threads of all connections; closed by their creator, afterwards
     * @throws SkepException INVALID_CONFIGURATION when it cannot listen there, when the secret or a certificate cannot
     *     be read, or when other machines could connect and there is no secret
     */
    public static DaemonServer start(InetSocketAddress address, RpcConfig config, RpcThreads threads, PageCodec codec) {
        Optional<SharedSecret> secret = config.secretFile().map(SharedSecret::read);
        if (secret.isEmpty() && !address.getAddress().isLoopbackAddress()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "a daemon that listens on " + address.getHostString()
                                    + " could be given work by anyone: it needs a secret")
                    .withHint("set " + RpcConfig.SECRET_FILE.name() + " for servers and daemons");
        }
        try {
            return new DaemonServer(address, config, secret, threads, codec);
        } catch (IOException e) {
            String cause = e.getCause() == null ? "" : ": " + e.getCause().getMessage();
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "the daemon cannot listen on " + address + ": " + e.getMessage() + cause,
                    e);
        }
    }

    /**
     * Returns what a daemon shows to those who connect to one of its ports.
     *
     * @param peerCertificates whether they have to show a certificate too
     */
    public static ServerCredentials credentials(RpcConfig config, boolean peerCertificates) {
        if (config.tlsCertificate().isEmpty() || config.tlsKey().isEmpty()) {
            return InsecureServerCredentials.create();
        }
        try {
            TlsServerCredentials.Builder credentials = TlsServerCredentials.newBuilder()
                    .keyManager(
                            config.tlsCertificate().get().toFile(),
                            config.tlsKey().get().toFile());
            if (peerCertificates) {
                credentials
                        .trustManager(config.tlsTrust().orElseThrow().toFile())
                        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
            }
            return credentials.build();
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "the daemon's certificate or key cannot be read: " + e, e);
        }
    }

    /**
     * Starts serving this daemon.
     *
     * @param onLeave called each time that a peer asks the daemon to drain and stop; does not wait
     */
    public void serve(LlapDaemon daemon, Runnable onLeave) {
        DaemonService made =
                new DaemonService(daemon, secret, config.timeout(), threads, codec, peers, onLeave, unproved);
        peers.start(made);
        service = made;
    }

    /** The other daemons, as this one reads from them. Nothing can be read before {@link #serve}. */
    public PeerDaemons peers() {
        return peers;
    }

    /** Announces to all current and future clients that the daemon accepts no new queries. Running queries continue. */
    public void leave() {
        DaemonService there = service;
        if (there != null) {
            there.leave();
        }
    }

    /** Whether all connected processes have acknowledged that. */
    public boolean isLeavingAcknowledged() {
        DaemonService there = service;
        return there == null || there.isLeavingAcknowledged();
    }

    /** The port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** The number of connected processes. */
    public int connectionCount() {
        DaemonService there = service;
        return there == null ? 0 : there.connectionCount();
    }

    /** The number of connections that have not proved who they are. */
    public int unprovedConnectionCount() {
        return unproved.count();
    }

    /** The number of connections with other daemons, in either direction. */
    public int peerConnectionCount() {
        DaemonService there = service;
        return there == null ? 0 : there.peerConnectionCount();
    }

    /** Ends everything that was requested over the connections, and then the connections. */
    @Override
    public void close() {
        server.shutdown();
        DaemonService there = service;
        if (there != null) {
            there.close();
        }
        peers.close();
        try {
            if (!server.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
