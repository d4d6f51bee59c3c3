package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the messages of a call, and that it reports its end once. */
class TestOutboundStream {
    private final SkepException reason = new SkepException(StandardErrorCode.DAEMON_LOST, "gone");

    private final FakeChannel channel = new FakeChannel();
    private final OutboundStream stream = new OutboundStream(new DaemonEndpoint("host", 1), channel, DaemonRpc.PAGES);
    private final FakeChannel.Call call = channel.calls.getFirst();
    private final List<byte[]> arrived = new ArrayList<>();
    private final List<Optional<SkepException>> ends = new ArrayList<>();
    private int readies;

    @BeforeEach
    void start() {
        stream.start(new MessageStream.Listener() {
            @Override
            public void arrived(byte[] message) {
                arrived.add(message);
            }

            @Override
            public void ready() {
                readies++;
            }

            @Override
            public void ended(Optional<SkepException> why) {
                ends.add(why);
            }
        });
    }

    @Test
    void eachMessageMakesRoomForAnother() {
        assertThat(call.requested).isEqualTo(1);
        call.listener().onMessage(new byte[3]);
        call.listener().onMessage(new byte[4]);
        assertThat(call.requested).isEqualTo(3);
        assertThat(arrived).hasSize(2);
    }

    @Test
    void messagesAreSentUntilTheStreamIsFinished() {
        stream.send(new byte[3]);
        stream.finish();
        stream.finish();
        stream.send(new byte[4]);
        assertThat(call.sent).hasSize(1);
        assertThat(call.halfClosed).isTrue();
        assertThat(ends).isEmpty();
    }

    @Test
    void readinessIsPassedOn() {
        call.ready = false;
        assertThat(stream.isReady()).isFalse();
        call.listener().onReady();
        assertThat(readies).isEqualTo(1);
    }

    @Test
    void theOtherSideFinishes() {
        call.listener().onClose(Status.OK, new Metadata());
        assertThat(ends).containsExactly(Optional.empty());
    }

    @Test
    void aFailureIsToldWithItsReason() {
        call.listener().onClose(Status.UNAVAILABLE, new Metadata());
        assertThat(ends).hasSize(1);
        assertThat(ends.getFirst().orElseThrow().code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
    }

    @Test
    void theEndIsToldOnceAndNothingAfterIt() {
        stream.end(reason);
        stream.end(reason);
        call.listener().onClose(Status.CANCELLED, new Metadata());
        call.listener().onMessage(new byte[3]);
        call.listener().onReady();
        stream.send(new byte[3]);
        assertThat(call.cancelled).isEqualTo(reason.getMessage());
        assertThat(ends).containsExactly(Optional.of(reason));
        assertThat(arrived).isEmpty();
        assertThat(readies).isZero();
        assertThat(call.sent).isEmpty();
    }
}
