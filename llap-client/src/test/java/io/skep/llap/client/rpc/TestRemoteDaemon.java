package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.client.wire.Greeting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a connection over a channel whose calls, like gRPC's, do not even support isReady before they are started. */
@Timeout(60)
class TestRemoteDaemon {
    private static final DaemonEndpoint ENDPOINT = new DaemonEndpoint("127.0.0.1", 1);
    private static final QueryId QUERY = new QueryId("q1");

    /** Long enough for a thread that checks too early to do so. */
    private static final long START_MILLIS = 200;

    private final BlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
    private volatile boolean refusing;
    private @Nullable RemoteDaemon daemon;

    private final class Call extends ClientCall<byte[], byte[]> {
        private final boolean greets;
        private final CountDownLatch asked = new CountDownLatch(1);
        private @Nullable Listener<byte[]> listener;
        private volatile boolean started;

        Call(boolean greets) {
            this.greets = greets;
        }

        @Override
        public void start(Listener<byte[]> given, Metadata headers) {
            listener = given;
            if (!greets) {
                var _ = daemon().finishQuery(QUERY, "while the call starts");
                awaitQuestion();
            }
            started = true;
        }

        private void awaitQuestion() {
            try {
                var _ = asked.await(START_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean isReady() {
            boolean may = started;
            asked.countDown();
            if (!may) {
                throw new IllegalStateException("the call has not been started");
            }
            return true;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {
            if (greets) {
                DaemonIdentity identity = new DaemonIdentity(1, "life", 2, Optional.of(ENDPOINT));
                Listener<byte[]> caller = Objects.requireNonNull(listener);
                caller.onMessage(new Greeting(identity, new byte[0], new byte[0], 0).encode());
                caller.onClose(Status.OK, new Metadata());
            }
        }

        @Override
        public void sendMessage(byte[] message) {
            if (refusing) {
                throw new OutOfMemoryError("no room for a message");
            }
            if (!greets) {
                sent.add(message);
            }
        }
    }

    private final class Calls extends ManagedChannel {
        @Override
        @SuppressWarnings("unchecked")
        public <A, B> ClientCall<A, B> newCall(MethodDescriptor<A, B> method, CallOptions options) {
            return (ClientCall<A, B>) new Call(method.getFullMethodName().equals(DaemonRpc.GREET.getFullMethodName()));
        }

        @Override
        public String authority() {
            return "none";
        }

        @Override
        public ManagedChannel shutdown() {
            return this;
        }

        @Override
        public ManagedChannel shutdownNow() {
            return this;
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    private RemoteDaemon daemon() {
        return Objects.requireNonNull(daemon);
    }

    private RemoteDaemon connect(RpcThreads threads) {
        PageCodec codec = new PageCodec(_ -> new byte[0], _ -> Batch.of(1, new LongVector(new long[] {1}, null, 1)));
        ConnectionParts parts =
                new ConnectionParts(Optional.empty(), Duration.ofSeconds(30), threads, codec, new PlanFiles());
        RemoteDaemon made = new RemoteDaemon(ENDPOINT, Optional.empty(), new Calls(), Optional.empty(), parts);
        daemon = made;
        made.start();
        return made;
    }

    @Test
    void whatIsAskedWhileTheConnectionIsMadeIsSent() throws Exception {
        try (RpcThreads threads = new RpcThreads("test");
                RemoteDaemon made = connect(threads)) {
            byte[] message = sent.poll(10, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            List<ClientFrame> frames = FrameCodec.decodeClient(Objects.requireNonNull(message));
            assertThat(frames).singleElement().isInstanceOf(ClientFrame.End.class);
            assertThat(made.isLost()).isFalse();
        }
    }

    @Test
    void aConnectionOverWhichNothingCanBeSentIsLost() throws Exception {
        try (RpcThreads threads = new RpcThreads("test");
                RemoteDaemon made = connect(threads)) {
            assertThat(sent.poll(10, TimeUnit.SECONDS)).isNotNull();
            refusing = true;
            made.leave();
            assertThat(made.lost().get(10, TimeUnit.SECONDS))
                    .hasMessageContaining("nothing can be sent to it: java.lang.OutOfMemoryError");
        }
    }
}
