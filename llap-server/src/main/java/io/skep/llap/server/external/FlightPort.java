package io.skep.llap.server.external;

import io.grpc.BindableService;
import io.grpc.Codec;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.DecompressorRegistry;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.server.rpc.AcceptedConnections;
import io.skep.llap.server.rpc.UnprovedConnections;
import io.skep.reader.ExternalReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.LocationSchemes;
import org.apache.arrow.flight.auth.ServerAuthHandler;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A port that speaks Arrow Flight, over the same transport as the RPC of daemons. A connection that has not proved who
 * it is, by a ticket or a login, is limited in number and in time, whatever it sends.
 */
public final class FlightPort implements AutoCloseable {
    private static final Duration UNPROVED = Duration.ofSeconds(20);
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration ALIVE = Duration.ofSeconds(20);
    private static final Duration MIN_ALIVE = Duration.ofSeconds(5);
    private static final int MAX_CALLS = 32;
    private static final int MAX_METADATA_BYTES = 16 << 10;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int MAX_RESETS = 200;
    private static final int RESET_WINDOW_SECONDS = 30;
    private static final long END_SECONDS = 5;
    private static final Context.Key<Runnable> PROVED = Context.key("proved");
    private static final Context.Key<String> ADDRESS = Context.keyWithDefault("address", "unknown");

    static {
        ExternalReader.prepareLibrary();
    }

    private final UnprovedConnections unproved = new UnprovedConnections(UNPROVED);
    private final ExecutorService executor;
    private final Server server;
    private final boolean encrypted;

    /**
     * Where the port listens.
     *
     * @param encrypted whether the credentials are those of TLS
     * @param maxMessageBytes limit of what a client sends
     */
    public record Place(
            InetSocketAddress address, ServerCredentials credentials, boolean encrypted, int maxMessageBytes) {}

    /**
     * Starts to listen.
     *
     * @param gate decides about each call before any of its messages is read
     * @throws SkepException INVALID_CONFIGURATION when it cannot listen there, or when other machines could connect
     *     without encryption
     */
    public FlightPort(Place place, ServerInterceptor gate, FlightProducer producer, BufferAllocator allocator) {
        if (!place.encrypted() && !place.address().getAddress().isLoopbackAddress()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "tickets and rows would cross the network in clear: the port of external readers on "
                                    + place.address().getHostString() + " needs a certificate")
                    .withHint("a server has that of hive.server2.use.SSL, a daemon skep.llap.rpc.tls.certificate");
        }
        this.encrypted = place.encrypted();
        this.executor = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("flight-", 0).factory());
        try {
            this.server = NettyServerBuilder.forAddress(
                            place.address(), AcceptedConnections.watched(place.credentials(), unproved))
                    .executor(executor)
                    .flowControlWindow(WINDOW_BYTES)
                    .maxInboundMessageSize(place.maxMessageBytes())
                    .maxInboundMetadataSize(MAX_METADATA_BYTES)
                    .maxConcurrentCallsPerConnection(MAX_CALLS)
                    .maxConnectionIdle(IDLE.toSeconds(), TimeUnit.SECONDS)
                    .keepAliveTime(ALIVE.toSeconds(), TimeUnit.SECONDS)
                    .keepAliveTimeout(ALIVE.toSeconds(), TimeUnit.SECONDS)
                    .permitKeepAliveTime(MIN_ALIVE.toSeconds(), TimeUnit.SECONDS)
                    .maxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS)
                    .handshakeTimeout(UNPROVED.toMillis(), TimeUnit.MILLISECONDS)
                    .decompressorRegistry(DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false))
                    .intercept(gate)
                    .intercept(new Proof())
                    .addService(service(producer, allocator, executor))
                    .build()
                    .start();
        } catch (IOException e) {
            executor.close();
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "the port of external readers cannot be opened at " + place.address() + ": " + e.getMessage(),
                    e);
        }
    }

    /** Logins are a matter of the gate; the library's own kind of them, which it has deprecated, admits everyone. */
    @SuppressWarnings("deprecation")
    private static ServerServiceDefinition service(
            FlightProducer producer, BufferAllocator allocator, ExecutorService executor) {
        BindableService service = FlightGrpcUtils.createFlightService(
                allocator, producer, ServerAuthHandler.NO_OP, new CallThreads(executor));
        return ServerInterceptors.useMarshalledMessages(service.bindService(), new PlainMessages());
    }

    /** Lets a call note that the peer of its connection has proved itself. */
    private final class Proof implements ServerInterceptor {
        @Override
        public <A, B> ServerCall.Listener<A> interceptCall(
                ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
            Runnable note = () -> unproved.proved(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
            Context context = Context.current().withValue(PROVED, note).withValue(ADDRESS, addressOf(call));
            return Contexts.interceptCall(context, call, headers, next);
        }
    }

    /** Notes that the peer of the current call has proved itself. */
    public static void proved() {
        Runnable note = PROVED.get();
        if (note != null) {
            note.run();
        }
    }

    private static String addressOf(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress from
                ? from.getAddress().getHostAddress()
                : "unknown";
    }

    /** Returns the address of the current call's client. */
    public static String address() {
        return ADDRESS.get();
    }

    public int port() {
        return server.getPort();
    }

    /** Returns where clients find the port on a host. */
    public URI location(String host) {
        String scheme = encrypted ? LocationSchemes.GRPC_TLS : LocationSchemes.GRPC_INSECURE;
        return URI.create(scheme + "://" + new DaemonEndpoint(host, port()));
    }

    /** The number of connections that have not proved who they are. */
    public int unprovedConnectionCount() {
        return unproved.count();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            if (!server.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                System.getLogger(FlightPort.class.getName())
                        .log(System.Logger.Level.WARNING, "The port of external readers does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        executor.shutdownNow();
    }
}
