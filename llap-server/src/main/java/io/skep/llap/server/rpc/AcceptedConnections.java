package io.skep.llap.server.rpc;

import io.grpc.ServerCredentials;
import io.grpc.internal.ObjectPool;
import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.util.AsciiString;
import java.util.concurrent.Executor;

/**
 * Registers each connection with {@link UnprovedConnections} before it has sent a byte. gRPC itself reports a
 * connection only after its negotiation.
 */
public final class AcceptedConnections implements InternalProtocolNegotiator.ServerFactory {
    private final InternalProtocolNegotiator.ServerFactory credentials;
    private final UnprovedConnections connections;

    private AcceptedConnections(InternalProtocolNegotiator.ServerFactory credentials, UnprovedConnections connections) {
        this.credentials = credentials;
        this.connections = connections;
    }

    public static ServerCredentials watched(ServerCredentials credentials, UnprovedConnections connections) {
        return InternalNettyServerCredentials.create(
                new AcceptedConnections(InternalNettyServerCredentials.toNegotiator(credentials), connections));
    }

    @Override
    public InternalProtocolNegotiator.ProtocolNegotiator newNegotiator(ObjectPool<? extends Executor> offloads) {
        return new Negotiator(credentials.newNegotiator(offloads));
    }

    private final class Negotiator implements InternalProtocolNegotiator.ProtocolNegotiator {
        private final InternalProtocolNegotiator.ProtocolNegotiator actual;

        Negotiator(InternalProtocolNegotiator.ProtocolNegotiator actual) {
            this.actual = actual;
        }

        @Override
        public AsciiString scheme() {
            return actual.scheme();
        }

        @Override
        public ChannelHandler newHandler(GrpcHttp2ConnectionHandler handler) {
            return new Watch(actual.newHandler(handler));
        }

        @Override
        public void close() {
            actual.close();
        }
    }

    /** Takes the place of the negotiation handler until the connection has been registered. */
    private final class Watch extends ChannelHandlerAdapter {
        private final ChannelHandler negotiation;

        Watch(ChannelHandler negotiation) {
            this.negotiation = negotiation;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            connections.accepted(context.channel());
            context.pipeline().replace(this, null, negotiation);
        }
    }
}
