package io.skep.llap.server.rpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.wire.FailureCodec;
import java.util.concurrent.CompletionException;

/** Converts errors to the statuses that end calls. */
final class GrpcStatuses {
    private GrpcStatuses() {}

    static Metadata trailers(SkepException failure) {
        Metadata trailers = new Metadata();
        trailers.put(DaemonRpc.FAILURE, FailureCodec.encode(failure));
        return trailers;
    }

    static final Status FAILED = Status.ABORTED.withDescription("see the error in the trailers");

    static final Status NOT_BELIEVED =
            Status.UNAUTHENTICATED.withDescription("the peer does not know the daemon's secret");

    static SkepException asSkepException(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return switch (cause) {
            case SkepException known -> known;
            case StackOverflowError e ->
                new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "the plan of the query nests too deeply for the daemon to read it",
                                e)
                        .withHint("split the statement, or the expression that nests, into several");
            default ->
                new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure in a daemon: " + cause, cause);
        };
    }
}
