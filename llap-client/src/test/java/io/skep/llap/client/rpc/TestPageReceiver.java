package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.client.wire.ReaderFrameCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the streams of one connection: their frames, their windows, and how they end. */
class TestPageReceiver {
    private static final QueryId QUERY = new QueryId("q");
    private static final TaskAttemptId OUTPUT = new TaskAttemptId(1, 2, 0);
    private static final PageRequest REQUEST = new PageRequest(QUERY, OUTPUT, 0);
    private static final long WINDOW = 1000;
    private final SkepException lost = new SkepException(StandardErrorCode.DAEMON_LOST, "gone");

    /** A call whose other end is the test. */
    private static final class FakeCall implements MessageStream {
        private final List<ReaderFrame> sent = new ArrayList<>();
        private boolean ready = true;
        private @Nullable SkepException ended;

        @Override
        public void start(Listener listener) {}

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void send(byte[] message) {
            sent.addAll(ReaderFrameCodec.decode(message));
        }

        @Override
        public void finish() {}

        @Override
        public void end(SkepException why) {
            ended = why;
        }
    }

    private final PageBudget budget = new PageBudget(64L << 20);
    private final PageReceiver receiver = new PageReceiver(Runnable::run, budget, TestPageReceiver::rows);
    private final FakeCall call = new FakeCall();

    private static Batch rows(byte[] page) {
        if (page.length > 0 && page[0] == 13) {
            throw new IllegalStateException("damaged");
        }
        return Batch.of(1, new LongVector(new long[] {page.length}, null, 1));
    }

    private void start() {
        receiver.start(call, _ -> {});
    }

    private PageStream open() {
        return receiver.open(REQUEST, WINDOW).orElseThrow();
    }

    private void arrive(PageFrame... frames) {
        receiver.arrived(PageFrameCodec.encodePages(List.of(frames)));
    }

    private static long bytes(CompletableFuture<Optional<Batch>> page) {
        return ((LongVector) page.join().orElseThrow().column(0)).values()[0];
    }

    @Test
    void requestsWaitForTheCall() {
        open();
        assertThat(receiver.pass(QUERY, OUTPUT)).isTrue();
        assertThat(call.sent).isEmpty();
        start();
        assertThat(call.sent)
                .containsExactly(new ReaderFrame.Open(1, REQUEST, WINDOW), new ReaderFrame.Pass(QUERY, OUTPUT));
    }

    @Test
    void requestsWaitForRoomInTheCall() {
        start();
        call.ready = false;
        open();
        assertThat(call.sent).isEmpty();
        call.ready = true;
        receiver.ready();
        assertThat(call.sent).hasSize(1);
    }

    @Test
    void pagesReachTheirStreamInOrder() {
        start();
        PageStream first = open();
        PageStream second = open();
        CompletableFuture<Optional<Batch>> waiting = second.next();
        arrive(
                new PageFrame.Page(1, new byte[3]),
                new PageFrame.Page(1, new byte[4]),
                new PageFrame.Page(2, new byte[5]));
        assertThat(bytes(first.next())).isEqualTo(3);
        assertThat(bytes(first.next())).isEqualTo(4);
        assertThat(bytes(waiting)).isEqualTo(5);
    }

    @Test
    void aStreamEndsAfterItsPages() {
        start();
        PageStream stream = open();
        arrive(new PageFrame.Page(1, new byte[3]), new PageFrame.End(1));
        assertThat(bytes(stream.next())).isEqualTo(3);
        assertThat(stream.next().join()).isEmpty();
        assertThat(stream.next().join()).isEmpty();
    }

    @Test
    void aFailureDropsThePagesOfItsStreamOnly() {
        start();
        PageStream failing = open();
        PageStream other = open();
        arrive(new PageFrame.Page(1, new byte[3]), new PageFrame.Page(2, new byte[4]), new PageFrame.Failed(1, lost));
        assertThatThrownBy(() -> failing.next().join()).cause().hasMessageContaining("gone");
        assertThat(bytes(other.next())).isEqualTo(4);
    }

    @Test
    void aPageThatCannotBeDecodedFailsItsReader() {
        start();
        PageStream stream = open();
        arrive(new PageFrame.Page(1, new byte[] {13}));
        assertThatThrownBy(() -> stream.next().join())
                .cause()
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INTERNAL_ERROR));
        assertThat(call.ended).isNull();
    }

    @Test
    void aMessageThatCannotBeDecodedEndsTheCall() {
        start();
        receiver.arrived(new byte[] {99});
        assertThat(call.ended).isNotNull();
    }

    /** What was granted is what was read, plus at most a window. */
    @Test
    void moreIsRequestedAsPagesAreRead() {
        for (int seed = 0; seed < 100; seed++) {
            call.sent.clear();
            PageReceiver receiving = new PageReceiver(Runnable::run, budget, TestPageReceiver::rows);
            receiving.start(call, _ -> {});
            PageStream stream = receiving.open(REQUEST, WINDOW).orElseThrow();
            Random random = new Random(seed);
            long arrived = 0;
            long read = 0;
            List<Integer> waiting = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                long granted = granted();
                if (random.nextBoolean() && arrived < granted) {
                    int size = random.nextInt(1, 400);
                    receiving.arrived(PageFrameCodec.encodePages(List.of(new PageFrame.Page(1, new byte[size]))));
                    arrived += size;
                    waiting.add(size);
                } else if (!waiting.isEmpty()) {
                    assertThat(bytes(stream.next()))
                            .as("seed %s", seed)
                            .isEqualTo(waiting.getFirst().longValue());
                    read += waiting.removeFirst();
                }
                assertThat(granted())
                        .as("seed %s, step %s", seed, step)
                        .isLessThanOrEqualTo(read + WINDOW)
                        .isGreaterThan(read + WINDOW - WINDOW / 2 - 400);
            }
        }
    }

    private long granted() {
        return call.sent.stream()
                .mapToLong(frame -> switch (frame) {
                    case ReaderFrame.Open(long _, PageRequest _, long bytes) -> bytes;
                    case ReaderFrame.More(long _, long bytes) -> bytes;
                    default -> 0;
                })
                .sum();
    }

    @Test
    void aReaderThatClosesTellsTheOtherSideOnce() {
        start();
        PageStream stream = open();
        stream.close();
        stream.close();
        arrive(new PageFrame.Page(1, new byte[3]));
        assertThat(call.sent.subList(1, call.sent.size())).containsExactly(new ReaderFrame.Close(1));
    }

    @Test
    void nothingIsClosedThatHasEnded() {
        start();
        PageStream stream = open();
        arrive(new PageFrame.End(1));
        stream.close();
        assertThat(call.sent).hasSize(1);
    }

    @Test
    void aRetiredConnectionFinishesWithItsLastStream() {
        start();
        PageStream stream = open();
        receiver.retire();
        assertThat(receiver.open(REQUEST, WINDOW)).isEmpty();
        assertThat(receiver.pass(QUERY, OUTPUT)).isFalse();
        assertThat(call.sent).hasSize(1);
        arrive(new PageFrame.Page(1, new byte[3]), new PageFrame.End(1));
        assertThat(call.sent.getLast()).isEqualTo(new ReaderFrame.Finish());
        assertThat(bytes(stream.next())).isEqualTo(3);
        receiver.retire();
        assertThat(call.sent.stream().filter(ReaderFrame.Finish.class::isInstance))
                .hasSize(1);
    }

    @Test
    void aLostConnectionFailsAllReaders() {
        start();
        PageStream stream = open();
        CompletableFuture<Optional<Batch>> waiting = stream.next();
        receiver.end(lost);
        assertThatThrownBy(waiting::join).hasCause(lost);
        PageStream late = open();
        assertThatThrownBy(() -> late.next().join()).hasCause(lost);
    }

    /** A page that exceeds the budget is read alone. Small pages of other streams do not wait for it. */
    @Test
    void smallPagesPassBesideAPageThatExceedsTheBudget() {
        PageReceiver receiving = new PageReceiver(Runnable::run, new PageBudget(1L << 20), TestPageReceiver::rows);
        receiving.start(call, _ -> {});
        PageStream large = receiving.open(REQUEST, WINDOW).orElseThrow();
        PageStream small = receiving.open(REQUEST, WINDOW).orElseThrow();
        receiving.arrived(PageFrameCodec.encodePages(
                List.of(new PageFrame.Page(1, new byte[2 << 20]), new PageFrame.Page(2, new byte[10]))));
        assertThat(bytes(small.next())).isEqualTo(10);
        assertThat(bytes(large.next())).isEqualTo(2L << 20);
    }
}
