package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.PlanImage;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.io.IOException;
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

/** Files that come to a daemon with plans. */
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

    private List<Path> kept() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("a-jars"))) {
            return files.toList();
        }
    }

    private static PlanImage with(Path... files) {
        PlanImage plan = plan(numbered(1));
        return new PlanImage(
                plan.name(), plan.graph(), Stream.of(files).map(Path::toString).toList());
    }

    @Test
    void aFileComesOnceToADaemon() throws IOException {
        Served served = site().serve("a");
        Path file = file("functions.jar", 3_000_000);
        Path copy = Files.copy(file, folder.resolve("copy.jar"));
        List<RemoteDaemon> servers = List.of(site().connect(served, OPEN), site().connect(served, OPEN));
        servers.getFirst().register(QUERY, with(file, copy));
        servers.getFirst().submit(task(0, Map.of())).join();
        servers.getFirst().end(QUERY, "over").join();
        QueryId second = new QueryId("q2");
        servers.getLast().register(second, with(copy));
        awaitThat(() -> served.daemon().queries().contains(second));
        servers.getLast().end(second, "over").join();
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
        // Whether the file was read before it was deleted is a matter of chance; a task that waits for ever would not
        // end.
        try {
            task.join();
        } catch (CompletionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            failure -> assertThat(failure.code()).isEqualTo(StandardErrorCode.MISSING_FILE));
        }
        daemon.end(QUERY, "over").join();
    }

    @Test
    void aStoreAsksAgainForWhatHasNotCome() throws IOException {
        PlanFileStore store = new PlanFileStore(folder.resolve("a-jars"));
        List<String> asked = new ArrayList<>();
        CompletableFuture<Path> first = store.use(HASH, () -> asked.add("first"));
        CompletableFuture<Path> beside = store.use(HASH, () -> asked.add("beside"));
        store.fail(HASH, new SkepException(StandardErrorCode.DAEMON_LOST, "gone"));
        assertThatThrownBy(first::join).hasRootCauseInstanceOf(SkepException.class);
        assertThat(beside).isCompletedExceptionally();
        CompletableFuture<Path> again = store.use(HASH, () -> asked.add("again"));
        Path partial = Files.writeString(store.partial(HASH), "content");
        store.arrived(HASH, partial);
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
