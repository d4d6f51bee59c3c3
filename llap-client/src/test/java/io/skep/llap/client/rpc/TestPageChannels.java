package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.wire.PageRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests when a connection is read over, handed over, and when it has done its work. */
class TestPageChannels {
    private static final DaemonEndpoint ENDPOINT = new DaemonEndpoint("host", 1);
    private final SkepException lost = new SkepException(StandardErrorCode.DAEMON_LOST, "gone");

    private final FakeChannel channel = new FakeChannel();
    private final List<SkepException> ends = new ArrayList<>();
    private final PageReceiver link =
            new PageReceiver(Runnable::run, new PageBudget(1L << 20), _ -> new Batch(List.of(), 0));
    private int served;
    private final PageChannels ofServer = new PageChannels(ENDPOINT, channel, link, Optional.empty(), ends::add);
    private final PageChannels ofDaemon =
            new PageChannels(ENDPOINT, channel, link, Optional.of(new Reader()), ends::add);

    /** The daemon of this process, which the other side reads from. */
    private final class Reader implements PageServer {
        @Override
        public DaemonIdentity identity() {
            return new DaemonIdentity(0, "mine", 1);
        }

        @Override
        public void serve(MessageStream stream, Consumer<Optional<SkepException>> onEnd) {
            served++;
            stream.start(new MessageStream.Listener() {
                @Override
                public void arrived(byte[] message) {}

                @Override
                public void ready() {}

                @Override
                public void ended(Optional<SkepException> why) {
                    onEnd.accept(why);
                }
            });
        }
    }

    private PageStream open() {
        return link.open(new PageRequest(new QueryId("q"), new TaskAttemptId(0, 0, 0), 0), 100)
                .orElseThrow();
    }

    private static void finish(FakeChannel.Call call) {
        call.listener().onClose(Status.OK, new Metadata());
    }

    @Test
    void aServerReadsOverOneCall() {
        assertThat(ofServer.start()).isTrue();
        assertThat(ofServer.start()).isFalse();
        assertThat(channel.calls).hasSize(1);
        finish(channel.calls.getFirst());
        assertThat(ends).hasSize(1);
    }

    @Test
    void betweenDaemonsBothSidesRead() {
        assertThat(ofDaemon.start()).isTrue();
        assertThat(channel.calls).hasSize(2);
        assertThat(served).isEqualTo(1);
        finish(channel.calls.getFirst());
        assertThat(ends).isEmpty();
        finish(channel.calls.getLast());
        assertThat(ends)
                .singleElement()
                .satisfies(why -> assertThat(why.code()).isEqualTo(StandardErrorCode.DAEMON_LOST));
    }

    @Test
    void requestsThatWaitAreGivenAway() {
        PageStream waiting = open();
        assertThat(ofServer.handOver()).contains(link);
        assertThat(ofServer.handOver()).isEmpty();
        assertThat(ofServer.start()).isFalse();
        ofServer.end(lost);
        assertThat(waiting.next()).isNotDone();
    }

    @Test
    void nothingIsGivenAwayAfterTheStart() {
        ofServer.start();
        assertThat(ofServer.handOver()).isEmpty();
    }

    @Test
    void aLostConnectionFailsItsReaders() {
        PageStream waiting = open();
        ofServer.end(lost);
        assertThatThrownBy(() -> waiting.next().join()).hasCause(lost);
        assertThat(ofServer.start()).isFalse();
        assertThat(ofServer.handOver()).isEmpty();
    }

    @Test
    void aLostConnectionEndsTheOtherSidesReading() {
        ofDaemon.start();
        ofDaemon.end(lost);
        assertThat(channel.calls.getLast().cancelled).isNotNull();
    }
}
