package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.add;
import static io.skep.llap.server.rpc.DaemonSite.assertCode;
import static io.skep.llap.server.rpc.DaemonSite.at;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.config;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.remote;
import static io.skep.llap.server.rpc.DaemonSite.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.common.vector.Batch;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.client.rpc.RemoteDaemons;
import io.skep.llap.client.rpc.RpcConfig;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests two daemons of this process that are reached over the loopback as if they were remote. */
@Timeout(180)
final class TestDaemonRpc {
    @TempDir
    private Path folder;

    private @Nullable DaemonSite made;

    @BeforeEach
    void start() {
        made = new DaemonSite(folder);
    }

    @AfterEach
    void stop() throws Exception {
        site().close();
    }

    private DaemonSite site() {
        return Objects.requireNonNull(made);
    }

    private Served serve(String name, int port, RpcConfig config) {
        return site().serve(name, port, config);
    }

    private RemoteDaemon connect(Served served, RpcConfig config) {
        return site().connect(served, config);
    }

    private Path secret(String text) throws IOException {
        return Files.writeString(PrivateFiles.create(folder.resolve("secret" + text.hashCode())), text + "\n");
    }

    @Test
    void aTaskDeliversItsRowsAndFigures() {
        RemoteDaemon daemon = connect(serve("a", 0, OPEN), OPEN);
        daemon.register(QUERY, plan(numbered(5000)));
        CompletableFuture<TaskStats> stats = daemon.submit(task(0, Map.of()));
        assertThat(drain(daemon.open(QUERY, new TaskAttemptId(0, 0, 0), 0)))
                .containsExactlyElementsOf(LongStream.range(0, 5000).boxed().toList());
        assertThat(stats.join().outputRows()).isEqualTo(5000);
        assertThat(daemon.identity().executors()).isEqualTo(2);
        daemon.finishQuery(QUERY, "over").join();
    }

    @Test
    void aDaemonHearsThatItIsToLeave() {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.leave();
        DaemonSite.awaitThat(() -> served.askedToLeave().get() == 1);
        assertThat(daemon.isLost()).isFalse();
    }

    @Test
    void rowsGoFromDaemonToDaemon() {
        Served first = serve("a", 0, OPEN);
        RemoteDaemon producer = connect(first, OPEN);
        RemoteDaemon consumer = connect(serve("b", 0, OPEN), OPEN);
        EncodedPlan plan = plan(numbered(5000), remote());
        consumer.register(QUERY, plan);
        // The consumer requests rows before the producer has received the query.
        var _ = consumer.submit(task(1, Map.of(0, List.of(at(first.daemon().identity())))));
        PageStream result = consumer.open(QUERY, new TaskAttemptId(1, 0, 0), 0);
        CompletableFuture<Optional<Batch>> next = result.next();
        producer.register(QUERY, plan);
        var _ = producer.submit(task(0, Map.of()));
        List<Long> rows = new ArrayList<>();
        add(next.join(), rows);
        rows.addAll(drain(result));
        assertThat(rows)
                .containsExactlyElementsOf(LongStream.range(0, 5000).boxed().toList());
        consumer.finishQuery(QUERY, "over").join();
        producer.finishQuery(QUERY, "over").join();
    }

    @Test
    void aSlowReaderPausesTheQueryAndACloseFreesIt() {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(numbered(400_000)));
        CompletableFuture<TaskStats> stats = daemon.submit(task(0, Map.of()));
        PageStream stream = daemon.open(QUERY, new TaskAttemptId(0, 0, 0), 0);
        assertThat(stream.next().join()).isPresent();
        assertThat(stats).isNotDone();
        stream.close();
        assertThat(stats.join().outputRows()).isLessThan(400_000);
    }

    @Test
    void errorsKeepCodeAndText() {
        RemoteDaemon daemon = connect(serve("a", 0, OPEN), OPEN);
        var bad = new EncodedPlan("plan", LazyEncoded.ofBytes(new byte[] {1, 2, 3}));
        daemon.register(QUERY, bad);
        PageStream stream = daemon.open(QUERY, new TaskAttemptId(0, 0, 0), 0);
        assertCode(StandardErrorCode.DAMAGED_MESSAGE, daemon.submit(task(0, Map.of())));
        daemon.finishQuery(QUERY, "cancelled by the user").join();
        // A process that still reads a query that has ended here may run it again.
        assertCode(StandardErrorCode.DAEMON_LOST, stream.next());
    }

    @Test
    void cancelledTasksFail() {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(numbered(10), remote()));
        CompletableFuture<TaskStats> waiting =
                daemon.submit(task(1, Map.of(0, List.of(at(served.daemon().identity())))));
        daemon.cancel(QUERY, new TaskAttemptId(1, 0, 0), "given up").join();
        assertCode(StandardErrorCode.OPERATION_CANCELED, waiting);
        daemon.finishQuery(QUERY, "over").join();
    }

    @Test
    void aDaemonThatStopsIsLostAtOnce() throws Exception {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(numbered(10), remote()));
        CompletableFuture<TaskStats> waiting =
                daemon.submit(task(1, Map.of(0, List.of(at(served.daemon().identity())))));
        PageStream stream = daemon.open(QUERY, new TaskAttemptId(1, 0, 0), 0);
        daemon.connected().join();
        served.server().close();
        assertCode(StandardErrorCode.DAEMON_LOST, waiting);
        assertCode(StandardErrorCode.DAEMON_LOST, stream.next());
        assertThat(daemon.lost().join().code()).isEqualTo(StandardErrorCode.DAEMON_LOST);
        // Later requests are also answered immediately.
        assertCode(StandardErrorCode.DAEMON_LOST, daemon.submit(task(0, Map.of())));
        assertThatThrownBy(() -> daemon.register(QUERY, plan(numbered(1)))).isInstanceOf(SkepException.class);
        daemon.finishQuery(QUERY, "over").join();
    }

    @Test
    void queriesEndWithWhoeverHasAskedForThem() {
        Served served = serve("a", 0, OPEN);
        RemoteDaemon daemon = connect(served, OPEN);
        daemon.register(QUERY, plan(numbered(10), remote()));
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
        RemoteDaemon daemon = site().own(site().connector(OPEN).connect(served.endpoint(), Optional.of(earlier)));
        PageStream stream = daemon.open(QUERY, new TaskAttemptId(0, 0, 0), 0);
        assertCode(StandardErrorCode.DAEMON_LOST, stream.next());
    }

    @Test
    void peersThatKnowTheSecretAreTrusted() throws IOException {
        RpcConfig known = config(Optional.of(secret("a secret of many letters")));
        RemoteDaemon daemon = connect(serve("a", 0, known), known);
        daemon.register(QUERY, plan(numbered(10)));
        var _ = daemon.submit(task(0, Map.of()));
        assertThat(drain(daemon.open(QUERY, new TaskAttemptId(0, 0, 0), 0))).hasSize(10);
        daemon.finishQuery(QUERY, "over").join();
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
        assertThatThrownBy(() -> DaemonServer.start(
                        new InetSocketAddress("0.0.0.0", 0), OPEN, site().threads(), DaemonSite.CODEC))
                .isInstanceOfSatisfying(SkepException.class, e -> {
                    assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
                    assertThat(e.fullMessage()).contains("skep.llap.rpc.secret-file");
                });
    }

    @Test
    void aDaemonThatComesBackIsFoundAgain() throws Exception {
        Served first = serve("a", 0, OPEN);
        RemoteDaemons all = site().own(new RemoteDaemons(
                site().connector(OPEN), () -> List.of(first.endpoint()), Duration.ofSeconds(30)));
        assertThat(all.live().getFirst().identity()).isEqualTo(first.daemon().identity());
        first.server().close();
        awaitThat(() -> all.alive().isEmpty());
        Served second = serve("b", first.endpoint().port(), OPEN);
        assertThat(all.live().getFirst().identity()).isEqualTo(second.daemon().identity());
    }

    @Test
    void withoutADaemonTheReasonIsNamed() {
        DaemonEndpoint nobody = new DaemonEndpoint("127.0.0.1", 1);
        RemoteDaemons all =
                site().own(new RemoteDaemons(site().connector(OPEN), () -> List.of(nobody), Duration.ofMillis(200)));
        assertThatThrownBy(all::live).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.QUEUE_FULL);
            assertThat(e.fullMessage()).contains("127.0.0.1:1");
        });
    }
}
