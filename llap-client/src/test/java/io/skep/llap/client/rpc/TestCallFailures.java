package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.wire.FailureCodec;
import org.junit.jupiter.api.Test;

/** Tests the errors that the ends of calls become. */
class TestCallFailures {
    private static final DaemonEndpoint ENDPOINT = new DaemonEndpoint("host", 1);

    private static SkepException of(Status status) {
        return CallFailures.of(ENDPOINT, status, new Metadata());
    }

    @Test
    void theErrorThatADaemonSendsIsKept() {
        Metadata trailers = new Metadata();
        trailers.put(
                DaemonRpc.FAILURE, FailureCodec.encode(new SkepException(StandardErrorCode.QUEUE_FULL, "no room")));
        SkepException failure = CallFailures.of(ENDPOINT, Status.UNKNOWN, trailers);
        assertThat(failure.code()).isEqualTo(StandardErrorCode.QUEUE_FULL);
        assertThat(failure).hasMessageContaining("no room");
    }

    @Test
    void statusesWithoutAnError() {
        assertThat(of(Status.UNIMPLEMENTED).code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED);
        assertThat(of(Status.UNAUTHENTICATED).code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
        assertThat(of(Status.UNAVAILABLE).code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
        assertThat(of(Status.CANCELLED).code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
    }

    @Test
    void theReasonIsNamed() {
        Status status =
                Status.UNAVAILABLE.withDescription("io exception").withCause(new IllegalStateException("reset"));
        assertThat(of(status)).hasMessageContaining("host:1").hasMessageContaining("io exception: reset");
    }

    @Test
    void messagesThatCannotBeReadLoseTheDaemon() {
        SkepException known = new SkepException(StandardErrorCode.NOT_SUPPORTED, "another version");
        assertThat(CallFailures.unreadable(ENDPOINT, known)).isSameAs(known);
        assertThat(CallFailures.unreadable(ENDPOINT, new IllegalStateException("damaged"))
                        .code())
                .isEqualTo(StandardErrorCode.DAEMON_LOST);
    }
}
