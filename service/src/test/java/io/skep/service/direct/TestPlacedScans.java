package io.skep.service.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.PlacementStats;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.llap.client.placement.ReadCosts;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.testing.SmallDaemon;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests real ORC files on several daemons of this process: where data is read, and with how many messages. */
@Timeout(180)
final class TestPlacedScans {
    private static final int FILES = 24;
    private static final int ROWS = 20_000;
    private static final List<SqlType> TYPES = List.of(PrimitiveType.BIGINT);
    private static final TableFormat ORC = new TableFormat(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            Map.of());
    private static final TableLayout TABLE =
            new TableLayout("db.t", ORC, List.of(new Column("n", PrimitiveType.BIGINT)), List.of(), Map.of());

    @TempDir
    private Path folder;

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());
    private final FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);
    private final List<LlapDaemon> daemons = new ArrayList<>();
    private final List<CountedDaemon> connections = new ArrayList<>();
    private List<DaemonConnection> live = List.of();
    private DirectScheduler scheduler = new DirectScheduler(() -> live);
    private int queries;

    private void start(int count) {
        for (int slot = daemons.size(); slot < count; slot++) {
            LlapDaemon daemon = SmallDaemon.start(slot, folder.resolve("spill" + slot), this::peer);
            daemons.add(daemon);
            connections.add(new CountedDaemon(daemon));
        }
        live = List.copyOf(connections);
    }

    private DaemonConnection peer(DaemonIdentity identity) {
        return daemons.get(identity.slot());
    }

    @AfterEach
    void nothingIsLeft() {
        for (OutstandingWork work : scheduler.work()) {
            assertThat(work.nanos()).isZero();
            assertThat(work.drivers()).isZero();
        }
        for (LlapDaemon daemon : daemons) {
            daemon.whenReadsAreDone().join();
            assertThat(daemon.snapshot().leftovers()).isEmpty();
            daemon.close();
        }
    }

    /** The files are an hour old, because a cache does not keep a file that was just written. */
    private List<Split> write() throws IOException {
        for (int file = 0; file < FILES; file++) {
            Path path = folder.resolve("t/00000" + file + "_0");
            PageSink sink = formats.create(TABLE, path.toUri().toString());
            Random random = new Random(file);
            VectorAppender values = VectorAppender.of(PrimitiveType.BIGINT);
            for (int row = 0; row < ROWS; row++) {
                values.appendLong(random.nextLong());
            }
            sink.append(Batch.of(ROWS, values.build()));
            sink.finish();
            Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(1, ChronoUnit.HOURS)));
        }
        List<Split> splits = new SplitEnumerator(files, 64 << 10)
                .splits(List.of(new SplitEnumerator.Place(
                        folder.resolve("t").toUri().toString(), ORC, TABLE.dataColumns(), List.of())));
        assertThat(splits.size()).isGreaterThan(FILES);
        return splits;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void theSecondRunOfAScanReadsFromCaches(int count) throws IOException {
        start(count);
        List<Split> splits = write();
        ExecutionStats first = run(splits, 1e6);
        assertThat(first.scan().cacheHitBytes()).isZero();
        ScanStats second = run(splits, 1e6).scan();
        assertThat(second.cacheMissBytes()).isZero();
        assertThat(second.cacheHitBytes()).isPositive();
        assertThat(second.rows()).isEqualTo((long) FILES * ROWS);
        assertThat(scheduler.placed()).isEqualTo(new PlacementStats(2L * splits.size(), 0, 0));
        assertThat(connections).allSatisfy(daemon -> assertThat(daemon.starts).hasValue(2));
    }

    @Test
    void aDaemonMoreReadsOnlyItsPartAnew() throws IOException {
        start(3);
        List<Split> splits = write();
        ScanStats before = run(splits, 1e6).scan();
        start(4);
        ScanStats after = run(splits, 1e6).scan();
        assertThat((double) after.cacheMissBytes())
                .isBetween(before.cacheMissBytes() * 0.05, before.cacheMissBytes() * 0.5);
    }

    /**
     * Each read of the clock returns one second more. That is too long for a cached read, and short for files that take
     * a millisecond per byte.
     */
    @Test
    void aDaemonIsNotSlowForReadingWhatItsCacheDoesNotHave() throws IOException {
        AtomicLong seconds = new AtomicLong();
        ReadCosts costs = new ReadCosts(100, 1e6, 0, 1, 1);
        scheduler = new DirectScheduler(() -> live, costs, () -> TimeUnit.SECONDS.toNanos(seconds.incrementAndGet()));
        start(2);
        List<Split> splits = write();
        run(splits, 1e6);
        assertThat(scheduler.work())
                .allSatisfy(work -> assertThat(work.slowness()).isEqualTo(1));
        run(splits, 1e6);
        assertThat(scheduler.work())
                .allSatisfy(work -> assertThat(work.slowness()).isGreaterThan(1));
    }

    @Test
    void aReportOverOneFileIsOneMessageToOneDaemon() throws IOException {
        start(3);
        List<Split> splits = write();
        int messages = 0;
        assertThat(run(splits, 1e6).placement().home()).isEqualTo(splits.size());
        for (Split split : splits) {
            connections.forEach(CountedDaemon::reset);
            run(List.of(split), 100);
            assertThat(connections.stream().mapToInt(daemon -> daemon.starts.get()))
                    .containsExactlyInAnyOrder(1, 0, 0);
            assertThat(connections.stream()
                            .mapToInt(daemon -> daemon.tasks.get())
                            .sum())
                    .isEqualTo(3);
            assertThat(connections.stream()
                            .mapToInt(daemon -> daemon.others.get())
                            .sum())
                    .isZero();
            for (CountedDaemon daemon : connections) {
                assertThat(daemon.ends).hasValue(daemon.starts.get());
            }
            messages += connections.getFirst().starts.get();
        }
        assertThat(messages).isBetween(1, splits.size() - 1);
    }

    private ExecutionStats run(List<Split> splits, double rows) {
        PlanNode scan = new PlanNode.Scan(7, new ScanRequest(TABLE, List.of(0), List.of()), Optional.empty());
        StageGraph graph = new StageGraph(
                List.of(
                        new Fragment(0, scan, Fragment.Distribution.SOURCE, new Fragment.Output.Hash(List.of(0))),
                        new Fragment(1, remote(0), Fragment.Distribution.HASH, new Fragment.Output.Gather()),
                        new Fragment(2, remote(1), Fragment.Distribution.SINGLE, new Fragment.Output.Gather())),
                List.of("n"),
                TYPES,
                List.of(),
                rows);
        StageGraphExecution execution = scheduler.start(
                new StageGraphRun(new QueryId("placed" + queries++), graph, Map.of(7, splits), Map.of()));
        try (execution) {
            while (execution.next().join().isPresent()) {}
        }
        return execution.stats();
    }

    private static PlanNode remote(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), TYPES, List.of());
    }
}
