package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.task;
import static io.skep.llap.server.rpc.RawCalls.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.skep.common.file.PrivateFiles;
import io.skep.common.query.QueryId;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.DaemonFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.client.wire.ReaderFrameCodec;
import io.skep.llap.server.rpc.DaemonSite.Served;
import io.skep.llap.server.rpc.RawCalls.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sends misplaced HTTP/2 frames, metadata and frames of the daemon's own protocol. */
@Timeout(180)
final class TestHostileFrames {
    private static final int ROWS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Well beyond the time within which a connection must prove itself. */
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private static final QueryId OTHER = new QueryId("q2");

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW = 8;
    private static final int CONTINUATION = 9;
    private static final int END_OF_HEADERS = 4;

    @TempDir
    private Path folder;

    private Optional<DaemonSite> site = Optional.empty();
    private Optional<RawCalls> calls = Optional.empty();
    private Optional<RemoteDaemon> believed = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(PrivateFiles.create(folder.resolve("secret")), "a secret of many letters");
        RpcConfig config = new RpcConfig(
                Duration.ofSeconds(2), Optional.of(file), Optional.empty(), Optional.empty(), Optional.empty(), false);
        DaemonSite made = new DaemonSite(folder);
        site = Optional.of(made);
        Served served = made.serve("a", 0, config);
        calls = Optional.of(new RawCalls(made, served, SharedSecret.read(file)));
        believed = Optional.of(made.connect(served, config));
        believed.get().connected().join();
    }

    /** Afterwards, a peer that keeps to the protocol is served, and nothing is left of the others. */
    @AfterEach
    void stop() {
        RemoteDaemon honest = believed.orElseThrow();
        honest.register(QUERY, plan(numbered(ROWS)));
        CompletableFuture<TaskStats> task = honest.submit(task(0, Map.of()));
        List<Long> rows = drain(honest.open(QUERY, new TaskAttemptId(0, 0, 0), 0), task);
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, ROWS).boxed().toList());
        assertThat(task).succeedsWithin(PATIENCE);
        site.orElseThrow().close();
    }

    private RawCalls raw() {
        return calls.orElseThrow();
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** @param length length that its header claims */
    private static byte[] frame(int type, int flags, int stream, int length, byte[] content) {
        return ByteBuffer.allocate(9 + content.length)
                .put((byte) (length >> 16))
                .put((byte) (length >> 8))
                .put((byte) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(content)
                .array();
    }

    private static byte[] frame(int type, int flags, int stream, byte... content) {
        return frame(type, flags, stream, content.length, content);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), raw().daemon().server().port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        OutputStream out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write(frame(SETTINGS, 0, 0));
        return socket;
    }

    /** Reads until the daemon has closed the connection. */
    private static void awaitEnd(Socket socket) throws IOException {
        byte[] answers = new byte[1 << 12];
        try {
            InputStream in = socket.getInputStream();
            while (in.read(answers) >= 0) {
                // The data that the daemon sends before that.
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @Test
    void framesOfHttpOutOfOrderEndTheirConnection() throws IOException {
        Map<String, List<byte[]>> sequences = new LinkedHashMap<>();
        sequences.put("data before headers", List.of(frame(DATA, 0, 1, new byte[100])));
        sequences.put("data of the connection", List.of(frame(DATA, 0, 0, new byte[100])));
        sequences.put("a continuation of nothing", List.of(frame(CONTINUATION, END_OF_HEADERS, 1, new byte[100])));
        sequences.put("data within headers", List.of(frame(HEADERS, 0, 1), frame(DATA, 0, 1, new byte[100])));
        sequences.put("headers within headers", List.of(frame(HEADERS, 0, 1), frame(HEADERS, END_OF_HEADERS, 3)));
        sequences.put("a server's stream", List.of(frame(HEADERS, END_OF_HEADERS, 2, (byte) 0x82)));
        sequences.put(
                "streams backwards",
                List.of(
                        frame(HEADERS, END_OF_HEADERS, 5, (byte) 0x83, (byte) 0x86, (byte) 0x84),
                        frame(HEADERS, END_OF_HEADERS, 3, (byte) 0x83, (byte) 0x86, (byte) 0x84)));
        sequences.put("the reset of no stream", List.of(frame(RESET, 0, 7, new byte[4])));
        sequences.put("a window that does not grow", List.of(frame(WINDOW, 0, 0, new byte[4])));
        sequences.put("half a setting", List.of(frame(SETTINGS, 0, 0, new byte[5])));
        sequences.put("a frame of 16 MB", List.of(frame(DATA, 0, 1, 0xFFFFFF, new byte[1000])));
        sequences.put("half a frame", List.of(frame(HEADERS, 0, 1, 16_000, new byte[1000])));
        for (Map.Entry<String, List<byte[]>> sequence : sequences.entrySet()) {
            try (Socket socket = connect()) {
                for (byte[] frame : sequence.getValue()) {
                    socket.getOutputStream().write(frame);
                }
                long begun = System.nanoTime();
                awaitEnd(socket);
                System.out.printf(
                        "%s: ended after %d ms%n", sequence.getKey(), (System.nanoTime() - begun) / 1_000_000);
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as(sequence.getKey())
                        .isLessThan(LIMIT);
            }
        }
        awaitThat(() -> raw().daemon().server().unprovedConnectionCount() == 0);
    }

    /** Sends endless headers, and frames that require an answer from a client that does not read the answers. */
    @Test
    void floodsOfFramesHoldLittle() throws IOException {
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        long heap = heapBytes();
        for (byte[] next : List.of(
                frame(CONTINUATION, 0, 1, new byte[16_000]),
                frame(CONTINUATION, 0, 1),
                frame(PING, 0, 0, new byte[8]),
                frame(SETTINGS, 0, 0))) {
            try (Socket socket = connect()) {
                OutputStream out = socket.getOutputStream();
                out.write(next[3] == CONTINUATION ? frame(HEADERS, 0, 1) : frame(SETTINGS, 0, 0));
                byte[] many = many(next, 1_000);
                boolean taken = true;
                for (int i = 0; i < 1_000 && taken; i++) {
                    taken = isSent(out, many);
                }
                assertThat(taken).as("frames of type " + next[3]).isFalse();
            }
        }
        awaitThat(() -> raw().daemon().server().unprovedConnectionCount() == 0);
        assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
                .isLessThan(64 << 20);
        assertThat(heapBytes() - heap).isLessThan(32 << 20);
    }

    private static byte[] many(byte[] frame, int count) {
        ByteBuffer all = ByteBuffer.allocate(frame.length * count);
        for (int i = 0; i < count; i++) {
            all.put(frame);
        }
        return all.array();
    }

    private static boolean isSent(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Metadata large(int bytes) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("large", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(bytes));
        return headers;
    }

    @Test
    void largeMetadataFailsItsCallOnly() {
        ManagedChannel channel = raw().channel();
        Metadata proof = raw().proof(channel);
        for (int bytes : new int[] {20_000, 1 << 20, 16 << 20}) {
            Answer refused = call(
                    raw().channel().newCall(DaemonRpc.GREET, CallOptions.DEFAULT),
                    large(bytes),
                    Optional.of(SharedSecret.challenge()));
            assertThat(refused.end.join().isOk()).as(bytes + " bytes").isFalse();
        }
        Answer control = call(channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT), proof, Optional.empty());
        assertThat(control.message.join()).isNotEmpty();
        for (int bytes : new int[] {20_000, 100_000}) {
            Answer refused =
                    call(channel.newCall(DaemonRpc.PAGES, CallOptions.DEFAULT), large(bytes), Optional.empty());
            assertThat(refused.end.join().isOk()).as(bytes + " bytes").isFalse();
            assertThat(control.end).as("the other calls of the connection").isNotDone();
        }
    }

    private ClientCall<byte[], byte[]> control(ManagedChannel channel, Answer answer) {
        ClientCall<byte[], byte[]> control = channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT);
        control.start(answer, raw().proof(channel));
        control.request(1_000);
        assertThat(answer.message.join()).isNotEmpty();
        return control;
    }

    private static void say(ClientCall<byte[], byte[]> control, ClientFrame... frames) {
        control.sendMessage(FrameCodec.encodeClient(List.of(frames)));
    }

    private static TaskSubmission taskOf(QueryId query) {
        return TaskSubmission.of(query, "plan", new TaskAttemptId(0, 0, 0), 1);
    }

    private static List<DaemonFrame> heard(Answer answer) {
        return answer.messages.stream()
                .map(FrameCodec::decodeDaemon)
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void framesOfControlOutOfOrderAreAnsweredOneByOne() {
        Answer answer = new Answer();
        ClientCall<byte[], byte[]> control = control(raw().channel(), answer);
        say(
                control,
                new ClientFrame.Farewell(),
                new ClientFrame.Submit(1, taskOf(OTHER)),
                new ClientFrame.Cancel(2, OTHER, new TaskAttemptId(0, 0, 0), "too early"),
                new ClientFrame.End(3, OTHER, "too early"),
                new ClientFrame.Settle(4),
                new ClientFrame.Register(OTHER, plan(numbered(ROWS)), List.of()),
                new ClientFrame.Register(OTHER, plan(numbered(ROWS)), List.of()),
                new ClientFrame.Submit(5, taskOf(OTHER)),
                new ClientFrame.End(6, OTHER, "over"),
                new ClientFrame.End(7, OTHER, "over again"),
                new ClientFrame.Submit(8, taskOf(OTHER)),
                new ClientFrame.Farewell(),
                new ClientFrame.Settle(9));
        List<DaemonFrame> wanted = List.of(
                new DaemonFrame.Done(2),
                new DaemonFrame.Done(3),
                new DaemonFrame.Done(4),
                new DaemonFrame.Done(6),
                new DaemonFrame.Done(7),
                new DaemonFrame.Done(9));
        awaitThat(() -> heard(answer).containsAll(wanted));
        for (long refused : new long[] {1, 5, 8}) {
            awaitThat(() -> heard(answer).stream()
                    .anyMatch(frame -> frame instanceof DaemonFrame.Failed failed && failed.call() == refused));
        }
        assertThat(answer.end).isNotDone();
        control.halfClose();
        assertThat(answer.end.join().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    private static ClientCall<byte[], byte[]> pages(ManagedChannel channel, Answer answer) {
        ClientCall<byte[], byte[]> pages = channel.newCall(DaemonRpc.PAGES, CallOptions.DEFAULT);
        pages.start(answer, new Metadata());
        pages.request(1_000);
        return pages;
    }

    private static void read(ClientCall<byte[], byte[]> pages, ReaderFrame... frames) {
        pages.sendMessage(ReaderFrameCodec.encode(List.of(frames)));
    }

    private static ReaderFrame.Open open(long stream, int task) {
        return new ReaderFrame.Open(stream, new PageRequest(OTHER, new TaskAttemptId(0, task, 0), 0), 1 << 20);
    }

    /** If a number were used twice, no party could end the first stream. */
    @Test
    void aStreamOfPagesThatIsOpenedTwiceEndsTheCall() {
        ManagedChannel channel = raw().channel();
        Answer controlled = new Answer();
        ClientCall<byte[], byte[]> control = control(channel, controlled);
        Answer answer = new Answer();
        ClientCall<byte[], byte[]> pages = pages(channel, answer);
        read(pages, new ReaderFrame.More(7, 1000), new ReaderFrame.Close(7), open(7, 0), open(7, 1));
        assertThat(answer.end.join().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(controlled.end).isNotDone();
        Answer again = new Answer();
        ClientCall<byte[], byte[]> other = pages(channel, again);
        read(other, open(7, 0), new ReaderFrame.Close(7), open(7, 1), new ReaderFrame.Finish(), open(8, 2));
        assertThat(again.end.join()).matches(Status::isOk);
        control.cancel("over", null);
    }

    @Test
    void streamsOfPagesFailWhenTheirQueryHasEnded() {
        ManagedChannel channel = raw().channel();
        Answer controlled = new Answer();
        ClientCall<byte[], byte[]> control = control(channel, controlled);
        say(
                control,
                new ClientFrame.Register(OTHER, plan(numbered(ROWS)), List.of()),
                new ClientFrame.End(1, OTHER, "over"));
        awaitThat(() -> heard(controlled).contains(new DaemonFrame.Done(1)));
        Answer answer = new Answer();
        ClientCall<byte[], byte[]> pages = pages(channel, answer);
        read(pages, open(1, 0), new ReaderFrame.More(1, 1000), new ReaderFrame.Pass(OTHER, new TaskAttemptId(0, 0, 0)));
        awaitThat(() -> answer.messages.stream()
                .map(PageFrameCodec::decodePages)
                .flatMap(List::stream)
                .anyMatch(PageFrame.Failed.class::isInstance));
        pages.halfClose();
        assertThat(answer.end.join()).matches(Status::isOk);
        control.cancel("over", null);
    }

    /** Both kinds are tied to the connection: messages about queries that never arrive, and calls that are over. */
    @Test
    void whatAPeerRepeatsWithoutEndIsNotKept() {
        ManagedChannel channel = raw().channel();
        Answer controlled = new Answer();
        ClientCall<byte[], byte[]> control = control(channel, controlled);
        long before = heapBytes();
        for (int i = 0; i < 2_000; i++) {
            Answer answer = new Answer();
            ClientCall<byte[], byte[]> pages = pages(channel, answer);
            List<ReaderFrame> frames = new ArrayList<>();
            for (int pass = 0; pass < 50; pass++) {
                frames.add(new ReaderFrame.Pass(new QueryId("never-" + i + "-" + pass), new TaskAttemptId(0, 0, 0)));
            }
            read(pages, frames.toArray(ReaderFrame[]::new));
            pages.halfClose();
            assertThat(answer.end.join()).matches(Status::isOk);
            if (i % 100 == 0) {
                say(control, new ClientFrame.Beat());
            }
        }
        long kept = heapBytes() - before;
        System.out.printf("2,000 calls with 100,000 passes leave %d KB%n", kept >> 10);
        assertThat(kept).isLessThan(8 << 20);
        control.cancel("over", null);
    }
}
