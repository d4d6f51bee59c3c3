package io.skep.llap.client.rpc;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Connects this process to daemons. Thread-safe. */
public final class DaemonConnector {
    private final ChannelCredentials credentials;
    private final ConnectionParts parts;

    /**
     * @param threads for all connections; their owner closes them after the connections
     * @throws SkepException INVALID_CONFIGURATION when the secret or a certificate cannot be read
     */
    public DaemonConnector(RpcConfig config, RpcThreads threads, PageCodec pages) {
        this.parts = new ConnectionParts(
                config.secretFile().map(SharedSecret::read), config.timeout(), threads, pages, new PlanFiles());
        this.credentials = config.tlsTrust().isPresent()
                ? encrypted(config, config.tlsTrust().get())
                : InsecureChannelCredentials.create();
    }

    private static ChannelCredentials encrypted(RpcConfig config, Path trust) {
        TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
        try {
            credentials.trustManager(trust.toFile());
            if (config.tlsCertificate().isPresent() && config.tlsKey().isPresent()) {
                credentials.keyManager(
                        config.tlsCertificate().get().toFile(),
                        config.tlsKey().get().toFile());
            }
            return credentials.build();
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "a file of skep.llap.rpc.tls.* cannot be read: " + e, e);
        }
    }

    /**
     * Starts a connection. It can be used at once: calls wait until it is established, or fail with it.
     *
     * @param expected the incarnation of the daemon to connect to; empty to accept any
     */
    public RemoteDaemon connect(DaemonEndpoint endpoint, Optional<DaemonIdentity> expected) {
        return connect(endpoint, expected, Optional.empty());
    }

    /** @param self the daemon that connects; the other side then reads its rows over the same connection */
    RemoteDaemon connect(DaemonEndpoint endpoint, Optional<DaemonIdentity> expected, Optional<PageServer> self) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port(), credentials)
                .executor(threads().workers())
                .flowControlWindow(DaemonRpc.STREAM_WINDOW_BYTES)
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .maxInboundMetadataSize(DaemonRpc.MAX_METADATA_BYTES)
                .proxyDetector(address -> null)
                .disableRetry()
                .build();
        RemoteDaemon daemon = new RemoteDaemon(endpoint, expected, channel, self, parts);
        daemon.start();
        return daemon;
    }

    /** Creates the receiver for pages of a daemon. The connection that it reads over is chosen later. */
    PageReceiver newLink() {
        return parts.newReceiver();
    }

    RpcThreads threads() {
        return parts.threads();
    }
}
