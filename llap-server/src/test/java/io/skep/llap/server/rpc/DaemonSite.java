package io.skep.llap.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
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
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.DaemonConnector;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.DaemonResources;
import io.skep.llap.server.DaemonStorage;
import io.skep.llap.server.LlapConfig;
import io.skep.llap.server.LlapDaemon;
import io.skep.storage.scan.PageSourceFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Daemons of this process that are reached over the loopback as if they were remote, and plans for them. */
final class DaemonSite implements AutoCloseable {
    static final QueryId QUERY = new QueryId("q1");
    static final PageCodec CODEC = new PageCodec(BatchCodec::encode, BatchCodec::decode);
    static final RpcConfig OPEN = config(Optional.empty());

    static final long EXCHANGE_BYTES = 8 << 20;

    /** A daemon's disk limit for jars. */
    static final int JAR_BYTES = 8 << 20;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The common pool may have only one thread. */
    private static final Executor ON_ITS_OWN_THREAD =
            work -> Thread.ofPlatform().daemon().start(work);

    /**
     * A daemon and its server.
     *
     * @param askedToLeave how often it was asked to leave
     */
    record Served(LlapDaemon daemon, DaemonServer server, AtomicInteger askedToLeave) {
        DaemonEndpoint endpoint() {
            return daemon.identity().endpoint().orElseThrow();
        }
    }

    private final Path folder;
    private final PageCodec codec;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final List<Served> daemons = new ArrayList<>();
    private final RpcThreads threads = own(new RpcThreads("test"));

    DaemonSite(Path folder) {
        this(folder, CODEC);
    }

    DaemonSite(Path folder, PageCodec codec) {
        this.folder = folder;
        this.codec = codec;
    }

    static RpcConfig config(Optional<Path> secret) {
        return new RpcConfig(
                Duration.ofSeconds(20), secret, Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    /** Ends the query. Closes all daemons if nothing of the query is left. */
    @Override
    public void close() {
        for (Served served : daemons) {
            served.daemon().finishQuery(QUERY, "test over").join();
            assertThat(served.daemon().snapshot().leftovers()).isEmpty();
        }
        while (!parts.isEmpty()) {
            end(parts.pop());
        }
    }

    private static void end(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            throw new AssertionError("a part does not end", e);
        }
    }

    <T extends AutoCloseable> T own(T part) {
        parts.push(part);
        return part;
    }

    /** Returns a daemon by the order of its start, from 0. */
    Served served(int number) {
        return daemons.get(number);
    }

    /** The exchange bytes that all daemons hold. */
    long exchangeBytes() {
        return daemons.stream()
                .mapToLong(served -> served.daemon().snapshot().exchangeBytes())
                .sum();
    }

    RpcThreads threads() {
        return threads;
    }

    DaemonConnector connector(RpcConfig config) {
        return new DaemonConnector(config, threads, codec);
    }

    Served serve(String name) {
        return serve(name, 0, OPEN, EXCHANGE_BYTES);
    }

    Served serve(String name, int port, RpcConfig config) {
        return serve(name, port, config, EXCHANGE_BYTES);
    }

    Served serve(String name, int port, RpcConfig config, long exchangeBytes) {
        return serve(name, port, config, exchangeBytes, endpoint -> endpoint);
    }

    /** @param advertised address at which others reach a daemon that listens there */
    Served serve(
            String name, int port, RpcConfig config, long exchangeBytes, UnaryOperator<DaemonEndpoint> advertised) {
        LlapConfig sizes = new LlapConfig(
                2,
                8,
                2,
                1_000_000,
                16 << 20,
                1 << 20,
                16,
                64 << 20,
                32 << 20,
                exchangeBytes,
                1L << 30,
                1L << 30,
                1L << 30,
                JAR_BYTES,
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
        DaemonServer server = DaemonServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), config, threads, codec);
        DaemonIdentity identity = new DaemonIdentity(
                name.hashCode(),
                UUID.randomUUID().toString(),
                2,
                Optional.of(advertised.apply(new DaemonEndpoint("127.0.0.1", server.port()))));
        LlapDaemon daemon = own(new LlapDaemon(identity, sizes, resources, storage, server.peers()));
        own(server);
        AtomicInteger askedToLeave = new AtomicInteger();
        server.serve(daemon, askedToLeave::incrementAndGet);
        Served served = new Served(daemon, server, askedToLeave);
        daemons.add(served);
        return served;
    }

    RemoteDaemon connect(Served served, RpcConfig config) {
        DaemonEndpoint direct = new DaemonEndpoint("127.0.0.1", served.server().port());
        return own(connector(config).connect(direct, Optional.empty()));
    }

    static void awaitThat(BooleanSupplier condition) {
        Polling.await("a state of the site").atMost(PATIENCE).until(condition::getAsBoolean);
    }

    static void assertCode(StandardErrorCode code, CompletableFuture<?> result) {
        assertThatThrownBy(result::join)
                .cause()
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    static TaskSubmission task(int fragment, Map<Integer, List<OutputLocation>> inputs) {
        return TaskSubmission.of(QUERY, "plan", new TaskAttemptId(fragment, 0, 0), 1)
                .withInputs(inputs, PartitionRange.of(0));
    }

    static OutputLocation at(DaemonIdentity daemon) {
        return new OutputLocation(daemon, new TaskAttemptId(0, 0, 0));
    }

    static EncodedPlan plan(PlanNode... roots) {
        return plan(new Fragment.Output.Gather(), roots);
    }

    /** @param first how the rows of the first fragment are distributed to the others */
    static EncodedPlan plan(Fragment.Output first, PlanNode... roots) {
        List<Fragment> fragments = new ArrayList<>();
        for (PlanNode root : roots) {
            Fragment.Output output = fragments.isEmpty() ? first : new Fragment.Output.Gather();
            fragments.add(new Fragment(fragments.size(), root, Fragment.Distribution.SINGLE, output));
        }
        StageGraph graph = new StageGraph(fragments, List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), 10);
        return new EncodedPlan("plan", LazyEncoded.of(graph, () -> PlanCodec.encode(graph)));
    }

    static PlanNode numbered(int rows) {
        List<List<Datum>> data = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            data.add(List.of(new Datum.OfLong(i)));
        }
        return new PlanNode.Values(List.of(PrimitiveType.BIGINT), data);
    }

    static PlanNode remote() {
        return new PlanNode.RemoteSource(List.of(0), List.of(PrimitiveType.BIGINT), List.of());
    }

    static List<Long> drain(PageStream stream) {
        List<Long> rows = new ArrayList<>();
        for (Optional<Batch> next = stream.next().join();
                next.isPresent();
                next = stream.next().join()) {
            add(next, rows);
        }
        stream.close();
        return rows;
    }

    /**
     * Reads all rows of a task's output.
     *
     * @throws java.util.concurrent.CompletionException with the task's error when it fails before the output has ended
     */
    static List<Long> drain(PageStream stream, CompletableFuture<?> task) {
        CompletableFuture<List<Long>> rows = CompletableFuture.supplyAsync(() -> drain(stream), ON_ITS_OWN_THREAD);
        CompletableFuture<Object> failed = new CompletableFuture<>();
        var _ = task.whenComplete((stats, failure) -> {
            if (failure != null) {
                failed.completeExceptionally(failure);
            }
        });
        CompletableFuture.anyOf(rows, failed)
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        return rows.join();
    }

    static void add(Optional<Batch> batch, List<Long> rows) {
        LongVector vector = (LongVector) batch.orElseThrow().column(0).flatten();
        LongStream.of(vector.values()).limit(batch.get().rowCount()).forEach(rows::add);
    }
}
