package io.skep.reader;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.LocationSchemes;
import org.apache.arrow.memory.BufferAllocator;

/** Reads splits, in a program outside of the server. Thread-safe. */
public final class ExternalReader {
    /** A batch has few rows, but a row may be long. */
    private static final int MAX_MESSAGE_BYTES = 256 << 20;

    private static final Duration ALIVE = Duration.ofSeconds(10);

    static {
        prepareLibrary();
    }

    private final BufferAllocator allocator;
    private final Optional<Path> trust;

    /**
     * @param allocator memory for rows; stays the caller's
     * @param trust PEM file with the authorities that certify daemons and servers; empty for those of the JVM
     */
    public ExternalReader(BufferAllocator allocator, Optional<Path> trust) {
        this.allocator = allocator;
        this.trust = trust;
    }

    /**
     * Switches a way of Flight's library off to read buffers of gRPC, by a method that this release of gRPC does not
     * have. The library looks at it once, so processes that serve rows call this too: a reader may follow.
     */
    public static void prepareLibrary() {
        System.setProperty("arrow.flight.enable_zero_copy_read", "false");
    }

    /** Starts to read a split. One thread at a time may use the returned rows. */
    public SplitRows read(ExternalSplit split) {
        if (split.ticket().length == 0 || split.locations().isEmpty()) {
            throw new ReadException(
                    ReadErrorCode.INVALID_ARGUMENT, "this split has the schema of the rows and no rows");
        }
        return new SplitRows(split, this::connect);
    }

    /** Connects to a daemon or server. The caller closes the connection. */
    public FlightClient connect(URI location) {
        NettyChannelBuilder channel = NettyChannelBuilder.forAddress(
                        location.getHost(), location.getPort(), credentials(location))
                .keepAliveTime(ALIVE.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(ALIVE.toMillis(), TimeUnit.MILLISECONDS)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES);
        return FlightGrpcUtils.createFlightClient(allocator, new PlainChannel(channel.build()));
    }

    private ChannelCredentials credentials(URI location) {
        return switch (String.valueOf(location.getScheme())) {
            case LocationSchemes.GRPC, LocationSchemes.GRPC_INSECURE -> InsecureChannelCredentials.create();
            case LocationSchemes.GRPC_TLS -> tls();
            default ->
                throw new ReadException(
                        ReadErrorCode.NOT_SUPPORTED, "rows at " + location + " cannot be read by this reader");
        };
    }

    private ChannelCredentials tls() {
        if (trust.isEmpty()) {
            return TlsChannelCredentials.create();
        }
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(trust.get().toFile())
                    .build();
        } catch (IOException e) {
            throw new ReadException(
                    ReadErrorCode.INVALID_CONFIGURATION, "the certificates in " + trust.get() + ": " + e, e);
        }
    }
}
