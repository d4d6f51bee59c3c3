package io.skep.llap.server.rpc;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.skep.llap.client.rpc.DaemonRpc;

/**
 * Ends a greeting that exceeds the maximum size while its bytes arrive. Otherwise gRPC would collect the whole message
 * first, up to the limit of trusted peers.
 */
final class GreetingLimit extends ServerStreamTracer {
    private static final ServerStreamTracer NONE = new ServerStreamTracer() {};

    private long bytes;

    static ServerStreamTracer.Factory factory() {
        return new ServerStreamTracer.Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                return method.equals(DaemonRpc.GREET.getFullMethodName()) ? new GreetingLimit() : NONE;
            }
        };
    }

    @Override
    public void inboundWireSize(long more) {
        bytes += more;
        if (bytes > DaemonRpc.MAX_GREETING_BYTES) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("a greeting of more than " + DaemonRpc.MAX_GREETING_BYTES + " bytes")
                    .asRuntimeException();
        }
    }
}
