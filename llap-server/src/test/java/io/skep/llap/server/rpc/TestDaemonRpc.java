package io.skep.llap.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.Parcel;
import io.skep.llap.client.PlanImage;
import io.skep.llap.client.TaskFigures;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.PeerDaemons;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RemoteDaemons;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.storage.scan.PageSourceFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons of this process that are reached over the loopback as if they were elsewhere. */
@Timeout(60)
final class TestDaemonRpc {
    private static final QueryId QUERY = new QueryId("q1");
    private static final PageCodec CODEC = new PageCodec(BatchCodec::encode, BatchCodec::decode);
    private static final RpcConfig OPEN = config(Optional.empty());

    /** A daemon and what it listens with. */
    private record Served(LlapDaemon daemon, DaemonServer server) {
        DaemonEndpoint endpoint() {
            return daemon.identity().endpoint().orElseThrow();
        }
    }

    @TempDir
    private Path folder;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final List<LlapDaemon> daemons = new ArrayList<>();
    private RpcThreads threads = new RpcThreads("unused");

    private static RpcConfig config(Optional<Path> secret) {
        return new RpcConfig(Duration.ofSeconds(20), secret, Optional.empty(), Optional.empty(), Optional.empty());
    }

    @BeforeEach
    void makeThreads() {
        threads.close();
        threads = new RpcThreads("test");
        parts.push(threads);
    }

    @AfterEach
    void stop() throws Exception {
        for (LlapDaemon daemon : daemons) {
            daemon.end(QUERY, "test over").join();
            assertThat(daemon.snapshot().leftovers()).isEmpty();
        }
        while (!parts.isEmpty()) {
            parts.pop().close();
        }
    }

    private <T extends AutoCloseable> T own(T part) {
        parts.push(part);
        return part;
    }

    private Served serve(String name, int port, RpcConfig config) {
        LlapConfig sizes = new LlapConfig(
                2,
                2,
                1_000_000,
                16 << 20,
                1 << 20,
                16,
                64 << 20,
                32 << 20,
                8 << 20,
                1L << 30,
                1 << 20,
                4096,
                0,
                List.of(),
                folder.resolve(name));
        DaemonResources resources = new DaemonResources(sizes, split -> {
            throw new IllegalStateException("this test reads no files");
        });
        PageSourceFactory none = (request, split, memory) -> {
            throw new IllegalStateException("this test reads no files");
        };
        DaemonStorage storage = new DaemonStorage(none, none, (table, path) -> {
            throw new IllegalStateException("this test writes no files");
        });
        PeerDaemons peers = own(new PeerDaemons(new DaemonConnector(config, threads, CODEC)));
        DaemonServer server = DaemonServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), config, threads, CODEC);
        DaemonIdentity identity = new DaemonIdentity(
                name.hashCode(),
                UUID.randomUUID().toString(),
                2,
                Optional.of(new DaemonEndpoint("127.0.0.1", server.port())));
        LlapDaemon daemon = own(new LlapDaemon(identity, sizes, resources, storage, peers));
        own(server);
        server.serve(daemon);
        daemons.add(daemon);
        return new Served(daemon, server);
    }

    private RemoteDaemon connect(Served served, RpcConfig config) {
        return own(new DaemonConnector(config, threads, CODEC).connect(served.endpoint(), Optional.empty()));
    }

    private Path secret(String text) throws IOException {
        return Files.writeString(folder.resolve("secret" + text.hashCode()), text + "\n");
    }

    @Test
    void aTaskDeliversItsRowsAndFigures() {
        RemoteDaemon daemon = connect(serve("a", 0, OPEN), OPEN);
        daemon.register(QUERY, plan(values(5000)));
        CompletableFuture<TaskFigures> figures = daemon.submit(task(0, Map.of()));
        assertThat(drain(daemon.open(QUERY, new OutputId(0, 0, 0), 0)))
                .containsExactlyElementsOf(LongStream.range(0, 5000).boxed().toList());
        assertThat(figures.join().outputRows()).isEqualTo(5000);
        assertThat(daemon.identity().executors()).isEqualTo(2);
        daemon.end(QUERY, "over").join();
    }

    @Test
    void rowsGoFromDaemonToDaemon() {
        Served first = serve("a", 0, OPEN);
        RemoteDaemon producer = connect(first, OPEN);
        RemoteDaemon consumer = connect(serve("b", 0, OPEN), OPEN);
        PlanImage plan = plan(values(5000), remote());
        consumer.register(QUERY, plan);
        // The consumer asks before the producer has heard of the query.
        var _ = consumer.submit(task(1, Map.of(0, List.of(at(first.daemon().identity())))));
        PageStream result = consumer.open(QUERY, new OutputId(1, 0, 0), 0);
        CompletableFuture<Optional<Batch>> next = result.next();
        producer.register(QUERY, plan);
        var _ = producer.submit(task(0, Map.of()));
        List<Long> rows = new ArrayList<>();
        add(next.join(), rows);
        rows.addAll(drain(result));
        assertThat(rows)
                .containsExactlyElementsOf(LongStream.range(0, 5000).boxed().toList());
        consumer.end(QUERY, "over").join();
        producer.end(QUERY, "over").join();
    }

    @Test
    void aSlowReaderPausesTheQueryAndACloseFreesIt() {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(values(400_000)));
        CompletableFuture<TaskFigures> figures = daemon.submit(task(0, Map.of()));
        PageStream stream = daemon.open(QUERY, new OutputId(0, 0, 0), 0);
        assertThat(stream.next().join()).isPresent();
        assertThat(figures).isNotDone();
        stream.close();
        assertThat(figures.join().outputRows()).isLessThan(400_000);
    }

    @Test
    void errorsKeepCodeAndText() {
        RemoteDaemon daemon = connect(serve("a", 0, OPEN), OPEN);
        var bad = new PlanImage("plan", Parcel.ofBytes(new byte[] {1, 2, 3}));
        daemon.register(QUERY, bad);
        PageStream stream = daemon.open(QUERY, new OutputId(0, 0, 0), 0);
        assertCode(StandardErrorCode.INTERNAL_ERROR, daemon.submit(task(0, Map.of())));
        daemon.end(QUERY, "cancelled by the user").join();
        // Whoever still reads a query that has ended here may run it again.
        assertCode(StandardErrorCode.DAEMON_LOST, stream.next());
    }

    @Test
    void cancelledTasksFail() {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(values(10), remote()));
        CompletableFuture<TaskFigures> waiting =
                daemon.submit(task(1, Map.of(0, List.of(at(served.daemon().identity())))));
        daemon.cancel(QUERY, new OutputId(1, 0, 0), "given up").join();
        assertCode(StandardErrorCode.OPERATION_CANCELED, waiting);
        daemon.end(QUERY, "over").join();
    }

    @Test
    void aDaemonThatStopsIsLostAtOnce() throws Exception {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(values(10), remote()));
        CompletableFuture<TaskFigures> waiting =
                daemon.submit(task(1, Map.of(0, List.of(at(served.daemon().identity())))));
        PageStream stream = daemon.open(QUERY, new OutputId(1, 0, 0), 0);
        daemon.connected().join();
        served.server().close();
        assertCode(StandardErrorCode.DAEMON_LOST, waiting);
        assertCode(StandardErrorCode.DAEMON_LOST, stream.next());
        assertThat(daemon.lost().join().code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
        // What is asked of it later is answered at once too.
        assertCode(StandardErrorCode.DAEMON_LOST, daemon.submit(task(0, Map.of())));
        assertThatThrownBy(() -> daemon.register(QUERY, plan(values(1)))).isInstanceOf(SkepException.class);
        daemon.end(QUERY, "over").join();
    }

    @Test
    void queriesEndWithWhoeverHasAskedForThem() {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(values(10), remote()));
        var _ = daemon.submit(task(1, Map.of(0, List.of(at(served.daemon().identity())))));
        awaitThat(() -> served.daemon().snapshot().tasks() == 1);
        daemon.close();
        awaitThat(() -> served.daemon().snapshot().leftovers().isEmpty());
        assertThat(served.server().connectionCount()).isZero();
    }

    @Test
    void anotherLifeIsNotTheOneThatWasMeant() {
        Served served = serve("a", 0, OPEN);
        DaemonIdentity earlier = new DaemonIdentity(1, "earlier", 2, Optional.of(served.endpoint()));
        RemoteDaemon daemon =
                own(new DaemonConnector(OPEN, threads, CODEC).connect(served.endpoint(), Optional.of(earlier)));
        PageStream stream = daemon.open(QUERY, new OutputId(0, 0, 0), 0);
        assertCode(StandardErrorCode.DAEMON_LOST, stream.next());
    }

    @Test
    void whoeverKnowsTheSecretIsBelieved() throws IOException {
        RpcConfig known = config(Optional.of(secret("a secret of many letters")));
        RemoteDaemon daemon = connect(serve("a", 0, known), known);
        daemon.register(QUERY, plan(values(10)));
        var _ = daemon.submit(task(0, Map.of()));
        assertThat(drain(daemon.open(QUERY, new OutputId(0, 0, 0), 0))).hasSize(10);
        daemon.end(QUERY, "over").join();
    }

    @Test
    void othersAreRefused() throws IOException {
        RpcConfig known = config(Optional.of(secret("a secret of many letters")));
        RpcConfig wrong = config(Optional.of(secret("another one, just as long")));
        Served served = serve("a", 0, known);
        for (RpcConfig config : List.of(OPEN, wrong)) {
            RemoteDaemon daemon = connect(served, config);
            assertThat(daemon.lost().join().code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
        }
        assertThat(served.server().connectionCount()).isZero();
        Served open = serve("b", 0, OPEN);
        assertThat(connect(open, known).lost().join().code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
    }

    @Test
    void withoutASecretNobodyListensToTheWorld() {
        assertThatThrownBy(() -> DaemonServer.start(new InetSocketAddress("0.0.0.0", 0), OPEN, threads, CODEC))
                .isInstanceOfSatisfying(SkepException.class, e -> {
                    assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
                    assertThat(e.fullMessage()).contains("skep.llap.rpc.secret-file");
                });
    }

    @Test
    void aDaemonThatComesBackIsFoundAgain() throws Exception {
        Served first = serve("a", 0, OPEN);
        RemoteDaemons site = own(new RemoteDaemons(
                new DaemonConnector(OPEN, threads, CODEC), () -> List.of(first.endpoint()), Duration.ofSeconds(30)));
        assertThat(site.live().getFirst().identity()).isEqualTo(first.daemon().identity());
        first.server().close();
        awaitThat(() -> site.alive().isEmpty());
        Served second = serve("b", first.endpoint().port(), OPEN);
        assertThat(site.live().getFirst().identity()).isEqualTo(second.daemon().identity());
    }

    @Test
    void withoutADaemonTheReasonIsNamed() {
        DaemonEndpoint nobody = new DaemonEndpoint("127.0.0.1", 1);
        RemoteDaemons site = own(new RemoteDaemons(
                new DaemonConnector(OPEN, threads, CODEC), () -> List.of(nobody), Duration.ofMillis(200)));
        assertThatThrownBy(site::live).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.QUEUE_FULL);
            assertThat(e.fullMessage()).contains("127.0.0.1:1");
        });
    }

    private static void awaitThat(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static void assertCode(StandardErrorCode code, CompletableFuture<?> result) {
        assertThatThrownBy(result::join)
                .cause()
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static TaskSubmission task(int fragment, Map<Integer, List<OutputLocation>> inputs) {
        return new TaskSubmission(QUERY, "plan", fragment, 0, 0, 1, Map.of(), inputs, false, 1, Map.of());
    }

    private static OutputLocation at(DaemonIdentity daemon) {
        return new OutputLocation(daemon, new OutputId(0, 0, 0));
    }

    private static PlanImage plan(PlanNode... roots) {
        List<Fragment> fragments = new ArrayList<>();
        for (PlanNode root : roots) {
            fragments.add(
                    new Fragment(fragments.size(), root, Fragment.Distribution.SINGLE, new Fragment.Output.Gather()));
        }
        StageGraph graph = new StageGraph(fragments, List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), 10);
        return new PlanImage("plan", Parcel.of(graph, () -> PlanCodec.encode(graph)));
    }

    private static PlanNode values(int rows) {
        List<List<Datum>> data = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            data.add(List.of(new Datum.OfLong(i)));
        }
        return new PlanNode.Values(List.of(PrimitiveType.BIGINT), data);
    }

    private static PlanNode remote() {
        return new PlanNode.RemoteSource(List.of(0), List.of(PrimitiveType.BIGINT), List.of());
    }

    private static List<Long> drain(PageStream stream) {
        List<Long> rows = new ArrayList<>();
        for (Optional<Batch> next = stream.next().join();
                next.isPresent();
                next = stream.next().join()) {
            add(next, rows);
        }
        stream.close();
        return rows;
    }

    private static void add(Optional<Batch> batch, List<Long> rows) {
        LongVector vector = (LongVector) batch.orElseThrow().column(0).flatten();
        LongStream.of(vector.values()).limit(batch.get().rowCount()).forEach(rows::add);
    }
}
