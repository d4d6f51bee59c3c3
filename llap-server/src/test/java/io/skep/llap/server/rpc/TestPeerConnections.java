package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.EXCHANGE_BYTES;
import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.add;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.remote;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests two daemons that read from each other. */
@Timeout(180)
final class TestPeerConnections {
    private static final long WINDOW_BYTES = 16 << 10;

    /** More than fits into a window. */
    private static final int ROWS = 60_000;

    /** More than all buffers hold on the way to a client through two daemons. */
    private static final int MANY_ROWS = 500_000;

    private static final List<Long> ALL = LongStream.range(0, ROWS).boxed().toList();
    private static final EncodedPlan PLAN = plan(numbered(ROWS), remote());

    @TempDir
    private Path folder;

    private @Nullable DaemonSite made;

    @BeforeEach
    void start() {
        made = new DaemonSite(folder);
    }

    @AfterEach
    void stop() {
        site().close();
    }

    private DaemonSite site() {
        return Objects.requireNonNull(made);
    }

    /** A daemon that others reach through a proxy. */
    private record Behind(Served served, PeerProxy proxy, RemoteDaemon client) {
        /** Reads the output of a task of the other daemon. */
        PageStream read(Behind other, int task) {
            return served.server()
                    .peers()
                    .apply(other.served.daemon().identity())
                    .open(QUERY, new TaskAttemptId(0, task, 0), 0, WINDOW_BYTES);
        }

        int peerCount() {
            return served.server().peerConnectionCount();
        }

        int connectionCount() {
            return served.server().connectionCount();
        }
    }

    private Behind behind(String name) {
        return behind(name, OPEN, PLAN);
    }

    private Behind behind(String name, RpcConfig config, EncodedPlan plan) {
        List<PeerProxy> proxies = new ArrayList<>();
        Served served = site().serve(name, 0, config, EXCHANGE_BYTES, daemon -> {
            PeerProxy proxy = site().own(new PeerProxy(daemon));
            proxies.add(proxy);
            return proxy.endpoint();
        });
        RemoteDaemon client = site().connect(served, config);
        client.register(QUERY, plan);
        return new Behind(served, proxies.getFirst(), client);
    }

    /** Runs a task that produces all rows. */
    private static void make(RemoteDaemon daemon, int task) {
        var _ = daemon.submit(TaskSubmission.of(QUERY, "plan", new TaskAttemptId(0, task, 0), 1));
    }

    private static CompletableFuture<TaskStats> consume(RemoteDaemon daemon, int task, Served producer, int read) {
        OutputLocation input = new OutputLocation(producer.daemon().identity(), new TaskAttemptId(0, read, 0));
        return daemon.submit(TaskSubmission.of(QUERY, "plan", new TaskAttemptId(1, task, 0), 1)
                .withInputs(Map.of(0, List.of(input)), PartitionRange.of(0)));
    }

    private static List<Long> rest(Optional<Batch> first, PageStream stream) {
        List<Long> rows = new ArrayList<>();
        add(first, rows);
        rows.addAll(drain(stream));
        return rows;
    }

    @Test
    void tasksReadBothWaysOverOneConnection() {
        Served one = site().serve("a");
        Served other = site().serve("b");
        RemoteDaemon first = site().connect(one, OPEN);
        RemoteDaemon second = site().connect(other, OPEN);
        List.of(first, second).forEach(daemon -> daemon.register(QUERY, PLAN));
        make(first, 0);
        make(second, 1);
        CompletableFuture<TaskStats> there = consume(second, 0, one, 0);
        assertThat(drain(second.open(QUERY, new TaskAttemptId(1, 0, 0), 0))).isEqualTo(ALL);
        // The second daemon has made a connection. At this point the first one needs one.
        CompletableFuture<TaskStats> back = consume(first, 1, other, 1);
        assertThat(drain(first.open(QUERY, new TaskAttemptId(1, 1, 0), 0))).isEqualTo(ALL);
        assertThat(there.join().outputRows()).isEqualTo(ROWS);
        assertThat(back.join().outputRows()).isEqualTo(ROWS);
        awaitThat(
                () -> one.server().peerConnectionCount() == 1 && other.server().peerConnectionCount() == 1);
        // This test has two connections, and the daemons have one.
        awaitThat(() -> one.server().connectionCount() + other.server().connectionCount() == 3);
        awaitThat(() -> socketsAt(one.server().port(), other.server().port()) == 3);
        awaitThat(() -> one.daemon().sendMemory().reservedBytes() == 0
                && other.daemon().sendMemory().reservedBytes() == 0
                && site().exchangeBytes() == 0);
    }

    /** Counts the connections that the system lists, on the listening side. */
    private static long socketsAt(int... ports) {
        return Stream.of("/proc/self/net/tcp", "/proc/self/net/tcp6")
                .flatMap(TestPeerConnections::lines)
                .filter(line -> IntStream.of(ports).anyMatch(port -> isConnectedAt(line, port)))
                .count();
    }

    private static Stream<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file)).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line contains the local address, the remote address, and a state, which is 01. */
    private static boolean isConnectedAt(String line, int port) {
        return line.matches(String.format("\\s*\\d+: [0-9A-F]+:%04X \\S+ 01 .*", port));
    }

    /** Each daemon has connected before it learns of the other's connection. */
    @Test
    void ofTwoConnectionsMadeAtOnceOneStays() {
        Behind one = behind("a");
        Behind other = behind("b");
        List.of(one, other).forEach(daemon -> {
            daemon.proxy().keepPagesBack();
            make(daemon.client(), 0);
            make(daemon.client(), 1);
        });
        PageStream there = one.read(other, 0);
        PageStream back = other.read(one, 0);
        awaitThat(() -> one.proxy().keptBack() == 1 && other.proxy().keptBack() == 1);
        List.of(one, other).forEach(daemon -> daemon.proxy().pass());
        Optional<Batch> thereFirst = there.next().join();
        Optional<Batch> backFirst = back.next().join();
        awaitThat(() -> one.peerCount() == 2 && other.peerCount() == 2);
        // A stream that is opened at this point gets its rows while the others wait for their readers.
        assertThat(drain(one.read(other, 1))).isEqualTo(ALL);
        assertThat(drain(other.read(one, 1))).isEqualTo(ALL);
        assertThat(one.peerCount()).isEqualTo(2);
        assertThat(rest(thereFirst, there)).isEqualTo(ALL);
        assertThat(rest(backFirst, back)).isEqualTo(ALL);
        awaitThat(() -> one.peerCount() == 1 && other.peerCount() == 1);
        // The remaining connection is the one that the smaller incarnation has made. The other connection belongs to
        // this test.
        boolean ownStays = one.served()
                        .daemon()
                        .identity()
                        .incarnation()
                        .compareTo(other.served().daemon().identity().incarnation())
                < 0;
        awaitThat(() -> one.connectionCount() == (ownStays ? 1 : 2) && other.connectionCount() == (ownStays ? 2 : 1));
    }

    /** One daemon cannot connect to the other, but the other can. Earlier requests use that connection. */
    @Test
    void whoCannotConnectReadsOverTheOthersConnection() {
        Behind one = behind("a");
        Behind other = behind("b");
        List.of(one, other).forEach(daemon -> make(daemon.client(), 0));
        other.proxy().stop();
        PageStream there = one.read(other, 0);
        CompletableFuture<Optional<Batch>> first = there.next();
        assertThat(drain(other.read(one, 0))).isEqualTo(ALL);
        assertThat(rest(first.join(), there)).isEqualTo(ALL);
        assertThat(one.peerCount()).isEqualTo(1);
        assertThat(other.peerCount()).isEqualTo(1);
        other.proxy().cut();
    }

    @Test
    void bothAreLostWithTheirConnection() {
        Behind one = behind("a");
        Behind other = behind("b");
        loseEachOther(one, other, one.proxy()::cut);
        // They connect again when they read again.
        List.of(one, other).forEach(daemon -> make(daemon.client(), 1));
        assertThat(drain(one.read(other, 1))).isEqualTo(ALL);
        assertThat(drain(other.read(one, 1))).isEqualTo(ALL);
        awaitThat(() -> one.peerCount() == 1 && other.peerCount() == 1);
    }

    @Test
    void bothAreLostWhenNothingIsHeard() {
        RpcConfig impatient = new RpcConfig(
                Duration.ofSeconds(10), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
        Behind one = behind("a", impatient, PLAN);
        Behind other = behind("b", impatient, PLAN);
        loseEachOther(one, other, one.proxy()::stop);
        one.proxy().cut();
    }

    /** Only the second daemon can connect, and does. Both reads are in progress when the connection is lost. */
    private static void loseEachOther(Behind one, Behind other, Runnable loss) {
        List.of(one, other).forEach(daemon -> make(daemon.client(), 0));
        other.proxy().stop();
        PageStream back = other.read(one, 0);
        assertThat(back.next().join()).isPresent();
        PageStream there = one.read(other, 0);
        assertThat(there.next().join()).isPresent();
        assertThat(one.peerCount()).isEqualTo(1);
        loss.run();
        assertLost(one, back);
        assertLost(other, there);
        other.proxy().pass();
        awaitThat(() -> one.peerCount() == 0 && other.peerCount() == 0);
        awaitThat(() -> one.served().daemon().sendMemory().reservedBytes() == 0
                && other.served().daemon().sendMemory().reservedBytes() == 0);
    }

    /** The error names the daemon whose rows do not arrive. */
    private static void assertLost(Behind daemon, PageStream stream) {
        assertThat(loss(stream).subject()).contains(daemon.proxy().endpoint().toString());
    }

    /** Returns the error that ends the stream, after the available pages. */
    private static SkepException loss(PageStream stream) {
        Optional<SkepException> failure = Optional.empty();
        while (failure.isEmpty()) {
            failure = stream.next()
                    .handle((rows, error) -> Optional.ofNullable(error).map(GrpcStatuses::asSkepException))
                    .join();
        }
        assertThat(failure.get().code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
        return failure.get();
    }

    @Test
    void aDaemonThatStopsIsLostToItsReaders() {
        for (boolean stopsWhoConnected : List.of(true, false)) {
            Behind one = behind("a" + stopsWhoConnected);
            Behind other = behind("b" + stopsWhoConnected);
            List.of(one, other).forEach(daemon -> make(daemon.client(), 0));
            other.proxy().stop();
            PageStream back = other.read(one, 0);
            assertThat(back.next().join()).isPresent();
            PageStream there = one.read(other, 0);
            assertThat(there.next().join()).isPresent();
            if (stopsWhoConnected) {
                other.served().server().close();
                assertLost(other, there);
            } else {
                one.served().server().close();
                loss(back);
            }
            awaitThat(() -> one.peerCount() == 0 && other.peerCount() == 0);
            other.proxy().pass();
        }
    }

    @Test
    void nothingIsLeftOfTasksThatAreCancelledAtBothEnds() {
        EncodedPlan plan = plan(numbered(MANY_ROWS), remote());
        Behind one = behind("a", OPEN, plan);
        Behind other = behind("b", OPEN, plan);
        make(one.client(), 0);
        make(other.client(), 1);
        other.proxy().stop();
        CompletableFuture<TaskStats> second = consume(other.client(), 0, one.served(), 0);
        PageStream result = other.client().open(QUERY, new TaskAttemptId(1, 0, 0), 0);
        assertThat(result.next().join()).isPresent();
        CompletableFuture<TaskStats> first = consume(one.client(), 1, other.served(), 1);
        PageStream resultBack = one.client().open(QUERY, new TaskAttemptId(1, 1, 0), 0);
        assertThat(resultBack.next().join()).isPresent();
        assertThat(one.peerCount() + other.peerCount()).isEqualTo(2);
        one.client().finishQuery(QUERY, "given up").join();
        other.client().finishQuery(QUERY, "given up").join();
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        awaitThat(() -> one.served().daemon().sendMemory().reservedBytes() == 0
                && other.served().daemon().sendMemory().reservedBytes() == 0
                && site().exchangeBytes() == 0);
        assertThat(one.peerCount() + other.peerCount()).isEqualTo(2);
        other.proxy().pass();
    }
}
