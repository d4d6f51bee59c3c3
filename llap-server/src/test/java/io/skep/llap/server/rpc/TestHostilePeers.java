package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.assertCode;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.task;
import static io.skep.llap.server.rpc.RawCalls.call;
import static io.skep.llap.server.rpc.RawCalls.greet;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Bystander;
import io.skep.common.type.PrimitiveType;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PlanFile;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.rpc.DaemonRpc;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.SharedSecret;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.DaemonFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.server.rpc.DaemonSite.Served;
import io.skep.llap.server.rpc.RawCalls.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers that do not know the secret cost a daemon little, and cost trusted peers nothing. */
@Timeout(180)
final class TestHostilePeers {
    private static final int ROWS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private final EncodedPlan numbers = plan(numbered(ROWS));
    private Optional<DaemonSite> site = Optional.empty();
    private Optional<Served> served = Optional.empty();
    private Optional<RemoteDaemon> believed = Optional.empty();
    private Optional<SharedSecret> secret = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(PrivateFiles.create(folder.resolve("secret")), "a secret of many letters");
        secret = Optional.of(SharedSecret.read(file));
        RpcConfig config = new RpcConfig(
                Duration.ofSeconds(2), Optional.of(file), Optional.empty(), Optional.empty(), Optional.empty(), false);
        DaemonSite made = new DaemonSite(folder);
        site = Optional.of(made);
        served = Optional.of(made.serve("a", 0, config));
        believed = Optional.of(made.connect(daemon(), config));
        believed.get().connected().join();
    }

    /** A trusted peer is served all the time. */
    @AfterEach
    void stop() {
        believed.orElseThrow().register(QUERY, numbers);
        CompletableFuture<TaskStats> task = believed.orElseThrow().submit(task(0, Map.of()));
        List<Long> rows = drain(believed.orElseThrow().open(QUERY, new TaskAttemptId(0, 0, 0), 0), task);
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, ROWS).boxed().toList());
        assertThat(task).succeedsWithin(PATIENCE);
        site.orElseThrow().close();
    }

    private Served daemon() {
        return served.orElseThrow();
    }

    /** Runs a separate query that begins and ends. */
    private boolean askAsOneWhoIsBelieved() {
        QueryId query = new QueryId("bystander-" + asked.incrementAndGet());
        believed.orElseThrow().register(query, numbers);
        believed.orElseThrow().finishQuery(query, "over").join();
        return true;
    }

    private RawCalls raw() {
        return new RawCalls(site.orElseThrow(), daemon(), secret.orElseThrow());
    }

    @Test
    void aGreetingThatIsTooLongIsNotGathered() {
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        for (int i = 0; i < 8; i++) {
            Status end =
                    greet(raw().channel(), Optional.of(new byte[64 << 20])).end.join();
            assertThat(end.isOk()).isFalse();
        }
        // Windows of connections, and data that their clients in this process have sent.
        assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
                .isLessThan(192 << 20);
        assertThat(greet(raw().channel(), Optional.of(SharedSecret.challenge()))
                        .end
                        .join())
                .matches(Status::isOk);
    }

    /** 1 MB of zeros compresses to a message of the size of a greeting. */
    @Test
    void aGreetingThatUnpacksToMuchIsRefused() {
        ClientCall<byte[], byte[]> call =
                raw().channel().newCall(DaemonRpc.GREET, CallOptions.DEFAULT.withCompression("gzip"));
        Answer answer = call(call, new Metadata(), Optional.of(new byte[1 << 20]));
        assertThat(answer.end.join().isOk()).isFalse();
    }

    @Test
    void aGreetingThatDoesNotComeEndsItsConnection() {
        List<Answer> slow = new ArrayList<>();
        try (Bystander _ = new Bystander(this::askAsOneWhoIsBelieved)) {
            for (int i = 0; i < 8; i++) {
                ManagedChannel channel = raw().channel();
                for (int stream = 0; stream < 100; stream++) {
                    slow.add(greet(channel, Optional.empty()));
                }
            }
            awaitThat(() -> daemon().server().unprovedConnectionCount() > 0);
            // Greetings beyond the call limit of a connection have not even begun. They wait for another connection.
            slow.stream()
                    .filter(answer -> answer.end.isDone())
                    .forEach(answer -> assertThat(answer.end.join().isOk()).isFalse());
            awaitThat(() -> slow.stream().filter(answer -> answer.end.isDone()).count() >= 8 * 60);
        }
    }

    /** With -Dskep.rpc.streams=1000000 this becomes a flood. */
    @Test
    @Timeout(3_600)
    void streamsThatAreOpenedAndResetHoldNothing() {
        int streams = Integer.getInteger("skep.rpc.streams", 20_000);
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        ManagedChannel channel = raw().channel();
        try (Bystander _ = new Bystander(this::askAsOneWhoIsBelieved)) {
            for (int i = 0; i < streams; i++) {
                ClientCall<byte[], byte[]> call = channel.newCall(DaemonRpc.GREET, CallOptions.DEFAULT);
                Answer answer = call(call, new Metadata(), Optional.empty());
                call.cancel("reset", null);
                answer.end.join();
            }
        }
        assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
                .isLessThan(64 << 20);
    }

    @Test
    void connectionsThatSayNothingAreFewAndEnd() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < UnprovedConnections.MAX_CONNECTIONS + 20; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), daemon().server().port());
                socket.setSoTimeout(30_000);
                silent.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream().write("PRI * HTTP/2.0\r\n".getBytes(StandardCharsets.US_ASCII));
                }
            }
            for (Socket socket : silent) {
                InputStream in = socket.getInputStream();
                while (in.read() >= 0) {
                    // The data that a server sends first.
                }
            }
            awaitThat(() -> daemon().server().unprovedConnectionCount() == 0);
        } catch (IOException reset) {
            assertThat(reset).hasMessageContaining("reset");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aProofServesOnce() {
        ManagedChannel channel = raw().channel();
        Metadata headers = raw().proof(channel);
        Answer first = call(channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT), headers, Optional.empty());
        assertThat(first.message.join()).isNotEmpty();
        for (ManagedChannel other : List.of(channel, raw().channel())) {
            Answer again = call(other.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT), headers, Optional.empty());
            assertThat(again.end.join().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }
    }

    @Test
    void nothingElseIsTakenBeforeTheProof() {
        for (MethodDescriptor<byte[], byte[]> method :
                List.of(DaemonRpc.CONTROL, DaemonRpc.PAGES, DaemonRpc.PAGES_BACK, DaemonRpc.PUT)) {
            Answer answer = call(
                    raw().channel().newCall(method, CallOptions.DEFAULT),
                    new Metadata(),
                    Optional.of(new byte[8 << 20]));
            assertThat(answer.end.join().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }
    }

    @Test
    void afterTheProofAFileIsTakenOnlyIfAQueryWaitsForIt() {
        ManagedChannel channel = raw().channel();
        Metadata headers = raw().proof(channel);
        Answer control = call(channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT), headers, Optional.empty());
        assertThat(control.message.join()).isNotEmpty();
        ClientCall<byte[], byte[]> put = channel.newCall(DaemonRpc.PUT, CallOptions.DEFAULT);
        Answer answer = new Answer();
        put.start(answer, new Metadata());
        put.request(1);
        put.sendMessage("0".repeat(64).getBytes(StandardCharsets.US_ASCII));
        assertThat(answer.end.join().getCode()).isEqualTo(Status.Code.ABORTED);
    }

    /** Opens a call on a separate connection, which is trusted and has registered a query that needs the file. */
    private ClientCall<byte[], byte[]> put(
            ManagedChannel channel, ClientCall<byte[], byte[]> control, Answer answer, String hash) {
        Answer told = call(control, raw().proof(channel), Optional.empty());
        assertThat(told.message.join()).isNotEmpty();
        EncodedPlan image = new EncodedPlan("endless", plan(numbered(1)).graph(), List.of("functions.jar"));
        control.sendMessage(FrameCodec.encodeClient(List.of(new ClientFrame.Register(
                new QueryId("q" + hash), image, List.of(new PlanFile("functions.jar", hash))))));
        // The daemon requests the file when it has received the query.
        control.request(100);
        awaitThat(() -> told.messages.stream()
                .map(FrameCodec::decodeDaemon)
                .flatMap(List::stream)
                .anyMatch(DaemonFrame.Want.class::isInstance));
        ClientCall<byte[], byte[]> put = channel.newCall(DaemonRpc.PUT, CallOptions.DEFAULT);
        put.start(answer, new Metadata());
        put.request(1);
        put.sendMessage(hash.getBytes(StandardCharsets.US_ASCII));
        return put;
    }

    private static void beat(ClientCall<byte[], byte[]> control) {
        control.sendMessage(FrameCodec.encodeClient(List.of(new ClientFrame.Beat())));
    }

    private boolean isNothingKept() {
        if (!Files.isDirectory(folder.resolve("a-jars"))) {
            return true;
        }
        try (Stream<Path> files = Files.list(folder.resolve("a-jars"))) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aFileWithoutEndIsTakenUpToTheRoomForJars() {
        ManagedChannel channel = raw().channel();
        ClientCall<byte[], byte[]> control = channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT);
        Answer answer = new Answer();
        ClientCall<byte[], byte[]> put = put(channel, control, answer, "1".repeat(64));
        byte[] piece = new byte[256 << 10];
        long sent = 0;
        while (!answer.end.isDone()) {
            if (put.isReady()) {
                put.sendMessage(piece);
                sent += piece.length;
            }
            beat(control);
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(answer.end.join().getCode()).isEqualTo(Status.Code.ABORTED);
        assertThat(sent).isBetween((long) DaemonSite.JAR_BYTES, 2L * DaemonSite.JAR_BYTES);
        awaitThat(this::isNothingKept);
        control.cancel("over", null);
    }

    /** Neither single bytes nor empty pieces count as silence. */
    @Test
    void aFileThatTricklesInEnds() {
        for (int length : new int[] {1, 0}) {
            ManagedChannel channel = raw().channel();
            ClientCall<byte[], byte[]> control = channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT);
            Answer answer = new Answer();
            ClientCall<byte[], byte[]> put =
                    put(channel, control, answer, String.valueOf(length).repeat(64));
            while (!answer.end.isDone()) {
                put.sendMessage(new byte[length]);
                beat(control);
                LockSupport.parkNanos(20_000_000);
            }
            assertThat(answer.end.join().getCode()).isEqualTo(Status.Code.ABORTED);
            awaitThat(this::isNothingKept);
            control.cancel("over", null);
        }
    }

    /** Its query has ended with the connection that registered it. The calls for its files have not ended. */
    @Test
    void aFileThatNobodyWaitsForAnyMoreEnds() {
        ManagedChannel channel = raw().channel();
        ClientCall<byte[], byte[]> control = channel.newCall(DaemonRpc.CONTROL, CallOptions.DEFAULT);
        Answer answer = new Answer();
        ClientCall<byte[], byte[]> put = put(channel, control, answer, "2".repeat(64));
        put.sendMessage(new byte[1000]);
        control.cancel("its process has gone", null);
        long start = System.nanoTime();
        while (!answer.end.isDone()) {
            put.sendMessage(new byte[10]);
            LockSupport.parkNanos(20_000_000);
        }
        assertThat(answer.end.join().getCode()).isEqualTo(Status.Code.ABORTED);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        awaitThat(this::isNothingKept);
    }

    /** The stack of the thread that decodes a plan may be smaller than that of the thread that created it. */
    @Test
    void aPlanThatNestsTooDeeplyFailsItsQueryOnly() throws InterruptedException {
        List<EncodedPlan> made = new ArrayList<>();
        Thread maker = new Thread(
                null,
                () -> {
                    EncodedPlan image = plan(deep());
                    assertThat(image.graph().bytes()).isNotEmpty();
                    made.add(image);
                },
                "maker",
                2L << 30);
        maker.start();
        maker.join();
        believed.orElseThrow().register(QUERY, made.getFirst());
        assertCode(StandardErrorCode.NOT_SUPPORTED, believed.orElseThrow().submit(task(0, Map.of())));
        believed.orElseThrow().finishQuery(QUERY, "over").join();
        assertThat(believed.orElseThrow().isLost()).isFalse();
        // The daemon rejects a query that has ended. The queries that follow have their own names.
        site.orElseThrow().close();
        startAgain();
    }

    private void startAgain() {
        try {
            start();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static PlanNode deep() {
        Expression expression = new Expression.InputColumn(0, PrimitiveType.BIGINT);
        for (int i = 0; i < 20_000; i++) {
            expression = new Expression.Cast(expression, PrimitiveType.BIGINT);
        }
        return new PlanNode.Project(numbered(1), List.of(expression));
    }
}
