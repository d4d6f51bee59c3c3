package io.skep.llap.client.rpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.wire.FailureCodec;

/** Translates the end of a call into an error: the one that the daemon sends, or else that the daemon is lost. */
final class CallFailures {
    private CallFailures() {}

    static SkepException of(DaemonEndpoint endpoint, Status status, Metadata trailers) {
        byte[] failure = trailers.get(DaemonRpc.FAILURE);
        if (failure != null) {
            return FailureCodec.decode(failure);
        }
        return switch (status.getCode()) {
            case UNIMPLEMENTED ->
                new SkepException(
                        StandardErrorCode.NOT_SUPPORTED, "what listens at " + endpoint + " is no LLAP daemon");
            case UNAUTHENTICATED -> refused(endpoint, status);
            default -> lost(endpoint, text(status));
        };
    }

    private static SkepException refused(DaemonEndpoint endpoint, Status status) {
        return new SkepException(
                StandardErrorCode.ACCESS_DENIED, "the LLAP daemon at " + endpoint + " refuses: " + text(status));
    }

    static SkepException lost(DaemonEndpoint endpoint, String why) {
        return new SkepException(StandardErrorCode.DAEMON_LOST, "the LLAP daemon at " + endpoint + " is lost: " + why)
                .about(endpoint.toString());
    }

    /** Returns the error for a message that cannot be decoded. */
    static SkepException unreadable(DaemonEndpoint endpoint, Throwable error) {
        return error instanceof SkepException known ? known : lost(endpoint, "its messages cannot be read: " + error);
    }

    private static String text(Status status) {
        String description = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        Throwable cause = status.getCause();
        return cause == null || cause.getMessage() == null ? description : description + ": " + cause.getMessage();
    }
}
