package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.assertCode;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests files that are sent to a daemon with plans. */
@Timeout(180)
final class TestPlanFiles {
    private static final String HASH = "0123456789abcdef".repeat(4);

    @TempDir
    private Path folder;

    private @Nullable DaemonSite made;

    @BeforeEach
    void start() {
        made = new DaemonSite(folder);
    }

    @AfterEach
    void stop() throws Exception {
        Objects.requireNonNull(made).close();
        assertThat(folder.resolve("a-jars")).doesNotExist();
    }

    private DaemonSite site() {
        return Objects.requireNonNull(made);
    }

    private Path file(String name, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return Files.write(folder.resolve(name), content);
    }

    private List<Path> kept() {
        if (!Files.isDirectory(folder.resolve("a-jars"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder.resolve("a-jars"))) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isCopy(Path kept, Path file) {
        try {
            return kept.toString().endsWith(".jar") && Files.mismatch(kept, file) < 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EncodedPlan with(Path... files) {
        EncodedPlan plan = plan(numbered(1));
        return new EncodedPlan(
                plan.name(), plan.graph(), Stream.of(files).map(Path::toString).toList());
    }

    /** Creates a plan whose tasks wait for the file. */
    private static EncodedPlan needing(Path file) {
        String location = file.toUri().toString();
        Fragment fragment = new Fragment(0, numbered(1), Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
        StageGraph graph =
                new StageGraph(List.of(fragment), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(location), 10);
        return new EncodedPlan(
                "plan of " + location, LazyEncoded.of(graph, () -> PlanCodec.encode(graph)), List.of(location));
    }

    @Test
    void aFileComesOnceToADaemon() throws IOException {
        Served served = site().serve("a");
        Path file = file("functions.jar", 3_000_000);
        Path copy = Files.copy(file, folder.resolve("copy.jar"));
        List<RemoteDaemon> servers = List.of(site().connect(served, OPEN), site().connect(served, OPEN));
        servers.getFirst().register(QUERY, with(file, copy));
        servers.getFirst().submit(task(0, Map.of())).join();
        servers.getFirst().finishQuery(QUERY, "over").join();
        QueryId second = new QueryId("q2");
        servers.getLast().register(second, with(copy));
        awaitThat(() -> served.daemon().queries().contains(second));
        servers.getLast().finishQuery(second, "over").join();
        assertThat(kept()).singleElement().satisfies(one -> assertThat(one).hasSameBinaryContentAs(file));
    }

    @Test
    void tasksFailWhenAFileDoesNotCome() throws IOException {
        Served served = site().serve("a");
        RemoteDaemon daemon = site().connect(served, OPEN);
        daemon.connected().join();
        Path file = file("functions.jar", 100);
        daemon.register(QUERY, with(file));
        Files.delete(file);
        CompletableFuture<?> task = daemon.submit(task(0, Map.of()));
        // Chance decides whether the file was read before it was deleted. A task that waited for ever would never end.
        try {
            task.join();
        } catch (CompletionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            failure -> assertThat(failure.code()).isEqualTo(StandardErrorCode.MISSING_FILE));
        }
        daemon.finishQuery(QUERY, "over").join();
    }

    /** Each of them fits alone, but all together do not. */
    @Test
    void filesThatNoQueryUsesMakeRoomAndThoseThatDoNotFitFailTheirQuery() throws IOException {
        Served served = site().serve("a");
        RemoteDaemon server = site().connect(served, OPEN);
        server.connected().join();
        for (int i = 0; i < 4; i++) {
            QueryId query = new QueryId("fits" + i);
            Path file = file("fits" + i, DaemonSite.JAR_BYTES / 2 + 1 + i);
            server.register(query, with(file));
            awaitThat(() -> kept().size() == 1 && isCopy(kept().getFirst(), file));
            server.finishQuery(query, "over").join();
        }
        EncodedPlan large = needing(file("large.jar", DaemonSite.JAR_BYTES + 1));
        server.register(QUERY, large);
        TaskSubmission task = TaskSubmission.of(QUERY, large.name(), new TaskAttemptId(0, 0, 0), 1);
        assertCode(StandardErrorCode.DISK_FULL, server.submit(task));
        server.finishQuery(QUERY, "over").join();
        awaitThat(() -> kept().isEmpty());
    }

    @Test
    void aDaemonStopsWhileFilesComeIn() throws IOException {
        PlanFileStore store = new PlanFileStore(folder.resolve("a-jars"), 100);
        var _ = store.use(HASH, () -> {});
        assertThat(store.partial(HASH)).exists();
        store.close();
        assertThat(folder.resolve("a-jars")).doesNotExist();
        assertThatThrownBy(() -> store.partial(HASH)).isInstanceOf(SkepException.class);
    }

    @Test
    void aStoreAsksAgainForWhatHasNotCome() throws IOException {
        PlanFileStore store = new PlanFileStore(folder.resolve("a-jars"), 100);
        List<String> asked = new ArrayList<>();
        CompletableFuture<Path> first = store.use(HASH, () -> asked.add("first"));
        CompletableFuture<Path> beside = store.use(HASH, () -> asked.add("beside"));
        store.fail(HASH, new SkepException(StandardErrorCode.DAEMON_LOST, "gone"));
        assertThatThrownBy(first::join).hasRootCauseInstanceOf(SkepException.class);
        assertThat(beside).isCompletedExceptionally();
        CompletableFuture<Path> again = store.use(HASH, () -> asked.add("again"));
        Path partial = Files.writeString(store.partial(HASH), "content");
        store.reserve(7);
        store.arrived(HASH, partial, 7);
        assertThat(again.join()).hasContent("content");
        store.fail(HASH, new SkepException(StandardErrorCode.DAEMON_LOST, "too late"));
        assertThat(store.use(HASH, () -> asked.add("not asked")).join()).hasContent("content");
        assertThat(asked).containsExactly("first", "again");
        assertThat(partial).doesNotExist();
        store.expire();
        assertThat(again.join()).exists();
        store.close();
    }
}
