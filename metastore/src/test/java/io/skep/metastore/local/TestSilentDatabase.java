package io.skep.metastore.local;

import static io.skep.metastore.CatalogFixtures.database;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.metastore.Catalog;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.testing.TestingRelay;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a PostgreSQL database that stops responding while all connections stay open. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSilentDatabase {
    private EmbeddedPostgres postgres;
    private Path folder;

    @BeforeAll
    void open(@TempDir Path temporary) throws IOException {
        folder = temporary;
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    void close() throws IOException {
        postgres.close();
    }

    private LocalMetastore metastore(TestingRelay relay, DataDirectory data, int silenceSeconds) {
        String url = postgres.getJdbcUrl("postgres", "postgres")
                .replace(":" + postgres.getPort() + "/", ":" + relay.port() + "/");
        return LocalMetastore.open(
                MetastoreConfig.of(
                        Map.of(
                                "javax.jdo.option.ConnectionURL",
                                url + "&socketTimeout=" + silenceSeconds,
                                "hive.notification.event.poll.interval",
                                "1h"),
                        data.path()),
                data);
    }

    @Test
    void aReadFailsAndWorksAgain() throws Exception {
        try (TestingRelay relay = new TestingRelay(postgres.getPort());
                DataDirectory data = DataDirectory.open(folder.resolve("read"));
                LocalMetastore metastore = metastore(relay, data, 2)) {
            Catalog catalog = metastore.uncached();
            assertThat(catalog.databases()).contains("default");
            relay.silent(true);
            CompletableFuture<StandardErrorCode> failed = onItsOwn(() -> codeOf(catalog::databases));
            assertThat(failed.get(120, TimeUnit.SECONDS)).isEqualTo(StandardErrorCode.METASTORE_ERROR);
            relay.silent(false);
            assertThat(catalog.databases()).contains("default");
            catalog.createDatabase(database("after", ""));
            assertThat(catalog.databases()).contains("after");
        }
    }

    private static CompletableFuture<StandardErrorCode> onItsOwn(java.util.function.Supplier<StandardErrorCode> work) {
        return CompletableFuture.supplyAsync(
                work, one -> Thread.ofPlatform().daemon().start(one));
    }

    private static StandardErrorCode codeOf(Runnable work) {
        try {
            work.run();
            return StandardErrorCode.INTERNAL_ERROR;
        } catch (SkepException e) {
            return e.code();
        }
    }

    /** More concurrent callers than connections. */
    @Test
    void whoIsInterruptedIsFree() throws Exception {
        try (TestingRelay relay = new TestingRelay(postgres.getPort());
                DataDirectory data = DataDirectory.open(folder.resolve("interrupt"))) {
            LocalMetastore metastore = metastore(relay, data, 600);
            Catalog catalog = metastore.uncached();
            assertThat(catalog.databases()).contains("default");
            long position = metastore.commitMarks().orElseThrow().snapshot().position();
            relay.silent(true);
            List<Thread> threads = new ArrayList<>();
            List<CompletableFuture<StandardErrorCode>> ends = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                CompletableFuture<StandardErrorCode> end = new CompletableFuture<>();
                Runnable work = i % 2 == 0
                        ? catalog::databases
                        : () -> metastore.catalog().refreshTo(position + 1);
                threads.add(Thread.ofPlatform().daemon().start(() -> end.complete(codeOf(work))));
                ends.add(end);
            }
            Polling.await("all threads wait")
                    .until(() -> threads.stream()
                            .noneMatch(thread -> thread.getState() == Thread.State.RUNNABLE
                                    || thread.getState() == Thread.State.NEW));
            threads.forEach(Thread::interrupt);
            for (CompletableFuture<StandardErrorCode> end : ends) {
                assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
            }
            // Closing does not wait for the database either.
            Thread closing = Thread.ofPlatform().daemon().start(metastore::close);
            assertThat(closing.join(Duration.ofMinutes(2))).isTrue();
        }
    }

    @Test
    void nobodyWaitsInALineWithoutEnd() throws Exception {
        try (TestingRelay relay = new TestingRelay(postgres.getPort());
                DataDirectory data = DataDirectory.open(folder.resolve("line"))) {
            LocalMetastore metastore = metastore(relay, data, 600);
            Catalog catalog = metastore.uncached();
            assertThat(catalog.databases()).contains("default");
            relay.silent(true);
            CompletableFuture<StandardErrorCode> refused = new CompletableFuture<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 1_100; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    StandardErrorCode code = codeOf(catalog::databases);
                    if (code == StandardErrorCode.METASTORE_ERROR) {
                        refused.complete(code);
                    }
                }));
            }
            assertThat(refused.get(60, TimeUnit.SECONDS)).isEqualTo(StandardErrorCode.METASTORE_ERROR);
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
            }
            Thread closing = Thread.ofPlatform().daemon().start(metastore::close);
            assertThat(closing.join(Duration.ofMinutes(2))).isTrue();
        }
    }
}
