package io.skep.llap.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.PlanFile;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.ValueReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TestFrames {
    private static final QueryId QUERY = new QueryId("q_1");
    private static final DaemonIdentity DAEMON =
            new DaemonIdentity(-7, "life", 16, Optional.of(new DaemonEndpoint("10.0.0.1", 15001)));

    private static final PartitionSizes SIZES = PartitionSizes.of(new long[] {0, 1, 1000, Long.MAX_VALUE});

    private static TaskSubmission task(int number) {
        return new TaskSubmission(
                QUERY,
                "plan",
                3,
                number,
                1,
                8,
                Map.of(5, List.of(LazyEncoded.ofBytes(new byte[] {1, -1}), LazyEncoded.ofBytes(new byte[0]))),
                Map.of(
                        1,
                        List.of(
                                new OutputLocation(DAEMON, new TaskAttemptId(1, 0, 0)),
                                new OutputLocation(DAEMON, new TaskAttemptId(1, 1, 2)))),
                new PartitionRange(5, 3),
                Set.of(0, 4),
                List.of(2, 0),
                true,
                4,
                Map.of("skep.scheduler", "direct", "empty", "", "unicode", "Grüße"));
    }

    @Test
    void whatIsSentToADaemonComesBack() {
        List<ClientFrame> frames = List.of(
                new ClientFrame.Register(
                        QUERY,
                        new EncodedPlan("plan", LazyEncoded.ofBytes(new byte[] {7, 8, 9}), List.of("a.jar", "b.jar")),
                        List.of(new PlanFile("a.jar", "0123456789abcdef".repeat(4)))),
                new ClientFrame.Submit(1, task(0)),
                new ClientFrame.Submit(1L << 40, task(1)),
                new ClientFrame.Cancel(3, QUERY, new TaskAttemptId(3, 1, 1), "given up"),
                new ClientFrame.End(4, QUERY, ""),
                new ClientFrame.Farewell(),
                new ClientFrame.Leave(),
                new ClientFrame.Settle(5),
                new ClientFrame.Beat());
        List<ClientFrame> back = FrameCodec.decodeClient(FrameCodec.encodeClient(frames));
        assertThat(back)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("plan.graph", "submission.splits")
                .isEqualTo(frames);
        assertThat(((ClientFrame.Register) back.getFirst()).plan().graph().bytes())
                .containsExactly(7, 8, 9);
        List<LazyEncoded> splits =
                ((ClientFrame.Submit) back.get(2)).submission().splits().get(5);
        assertThat(splits).hasSize(2);
        if (splits != null) {
            assertThat(splits.getFirst().bytes()).containsExactly(1, -1);
            assertThat(splits.getLast().bytes()).isEmpty();
        }
    }

    @Test
    void settingsAndInputsOfManyTasksAreSentOnce() {
        int one = FrameCodec.encodeClient(List.of(new ClientFrame.Submit(1, task(0)))).length;
        int two = FrameCodec.encodeClient(
                        List.of(new ClientFrame.Submit(1, task(0)), new ClientFrame.Submit(2, task(1))))
                .length;
        assertThat(two - one).isLessThan(50).isLessThan(one / 2);
    }

    @Test
    void whatADaemonSaysComesBack() {
        TaskStats stats = new TaskStats(
                1,
                OperatorTimes.of(kind -> kind.ordinal() * 1000L),
                List.of(OperatorStats.NONE, new OperatorStats(1, 2, 3, 4, 5, 6, 7, 8, Long.MAX_VALUE)),
                2,
                3,
                Long.MAX_VALUE,
                5,
                6,
                7,
                8,
                9,
                10,
                SIZES,
                new ValueReport(new byte[] {3, -1}));
        SkepException failure = new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "by zero")
                .at(new TextPosition(3, 14))
                .withHint("use nullif")
                .about("host:1");
        List<DaemonFrame> back = FrameCodec.decodeDaemon(FrameCodec.encodeDaemon(List.of(
                new DaemonFrame.Finished(9, stats),
                new DaemonFrame.Failed(10, failure),
                new DaemonFrame.Done(11),
                new DaemonFrame.Leaving(),
                new DaemonFrame.Want("abc"),
                new DaemonFrame.Status(new DaemonStatus(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)))));
        assertThat(back.get(0)).isEqualTo(new DaemonFrame.Finished(9, stats));
        SkepException failed = ((DaemonFrame.Failed) back.get(1)).failure();
        assertThat(failed.code()).isEqualTo(failure.code());
        assertThat(failed.fullMessage()).isEqualTo(failure.fullMessage());
        assertThat(failed.subject()).contains("host:1");
        assertThat(back.get(2)).isEqualTo(new DaemonFrame.Done(11));
        assertThat(back.get(3)).isEqualTo(new DaemonFrame.Leaving());
        assertThat(back.get(4)).isEqualTo(new DaemonFrame.Want("abc"));
        assertThat(back.get(5)).isEqualTo(new DaemonFrame.Status(new DaemonStatus(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)));
    }

    @Test
    void greetingsComeBack() {
        Greeting greeting = Greeting.decode(new Greeting(DAEMON, new byte[] {1, 2}, new byte[] {3}, 4).encode());
        assertThat(greeting.identity()).isEqualTo(DAEMON);
        assertThat(greeting.challenge()).containsExactly(1, 2);
        assertThat(greeting.proof()).containsExactly(3);
        assertThat(greeting.clockMillis()).isEqualTo(4);
    }

    @Test
    void whatReadersSayComesBack() {
        List<ReaderFrame> frames = List.of(
                new ReaderFrame.Open(1, new PageRequest(QUERY, new TaskAttemptId(1, 2, 3), 4), 512 << 10),
                new ReaderFrame.Open(1L << 40, new PageRequest(QUERY, new TaskAttemptId(1, 3, 0), 0), 1),
                new ReaderFrame.More(1, 77),
                new ReaderFrame.Close(2),
                new ReaderFrame.Pass(QUERY, new TaskAttemptId(3, 1, 1)),
                new ReaderFrame.Finish());
        assertThat(ReaderFrameCodec.decode(ReaderFrameCodec.encode(frames))).isEqualTo(frames);
    }

    @Test
    void pagesComeBack() {
        byte[] page = new byte[100_000];
        new Random(3).nextBytes(page);
        SkepException failure = new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "by zero");
        byte[] message = PageFrameCodec.encodePages(List.of(
                new PageFrame.Page(1, page),
                new PageFrame.Page(2, new byte[0]),
                new PageFrame.End(1),
                new PageFrame.Failed(2, failure)));
        assertThat(PageFrameCodec.encodePages(List.of(new PageFrame.Page(300, page), new PageFrame.End(1))).length)
                .isEqualTo((int) (PageFrameCodec.bytes(new PageFrame.Page(300, page))
                        + PageFrameCodec.bytes(new PageFrame.End(1))));
        List<PageFrame> back = PageFrameCodec.decodePages(message);
        assertThat(back).hasSize(4);
        assertThat(((PageFrame.Page) back.getFirst()).content()).isEqualTo(page);
        assertThat(((PageFrame.Page) back.get(1)).content()).isEmpty();
        assertThat(back.get(2)).isEqualTo(new PageFrame.End(1));
        assertThat(((PageFrame.Failed) back.get(3)).failure().fullMessage()).isEqualTo(failure.fullMessage());
        byte[] cut = Arrays.copyOf(message, message.length - 1);
        assertThatThrownBy(() -> PageFrameCodec.decodePages(cut)).isInstanceOf(SkepException.class);
    }

    @Test
    void errorsTakeAsManyBytesAsExpected() {
        PageFrame failed = new PageFrame.Failed(
                200, new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "Grüße").withHint("use nullif"));
        assertThat(PageFrameCodec.encodePages(List.of(failed))).hasSize((int) PageFrameCodec.bytes(failed));
    }

    /** Half of a surrogate pair has no form in UTF-8. */
    @Test
    void textThatUtf8CannotHoldIsReplaced() {
        SkepException failure = new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "a\uD800b");
        assertThat(FailureCodec.decode(FailureCodec.encode(failure))).hasMessageContaining("a?b");
    }

    /** A task must not get the settings, the plan or the inputs of another one in the same message. */
    @Test
    void eachTaskHasItsOwnPartsOfAMessage() {
        List<ClientFrame> frames = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            DaemonIdentity daemon = new DaemonIdentity(i % 2, "life", 16);
            frames.add(new ClientFrame.Submit(
                    i,
                    new TaskSubmission(
                            new QueryId("q_" + i % 2),
                            "plan" + i % 3,
                            3,
                            i,
                            0,
                            1,
                            Map.of(),
                            Map.of(1, List.of(new OutputLocation(daemon, new TaskAttemptId(1, i % 3, 0)))),
                            PartitionRange.of(0),
                            Set.of(),
                            List.of(),
                            false,
                            1,
                            Map.of("name", "value" + i % 4))));
        }
        assertThat(FrameCodec.decodeClient(FrameCodec.encodeClient(frames))).isEqualTo(frames);
    }

    @Test
    void anotherVersionIsRefusedByName() {
        byte[] other = new Greeting(DAEMON, new byte[0], new byte[0], 0).encode();
        other[0]++;
        assertThatThrownBy(() -> Greeting.decode(other))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }

    /**
     * A message that is cut or changed anywhere is refused or still decodes. No other exception is thrown, and no
     * memory is allocated in vain.
     */
    @Test
    void damagedMessagesAreRefused() {
        byte[] good = FrameCodec.encodeClient(List.of(new ClientFrame.Submit(1, task(0)), new ClientFrame.Beat()));
        for (int length = 1; length < good.length - 1; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> FrameCodec.decodeClient(cut)).isInstanceOf(SkepException.class);
        }
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = good.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            try {
                FrameCodec.decodeClient(changed);
            } catch (SkepException | IllegalArgumentException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }
}
