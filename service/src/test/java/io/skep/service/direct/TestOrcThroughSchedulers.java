package io.skep.service.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.testing.SmallDaemon;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.tez.dag.TezRunner;
import io.skep.tez.session.TezSessionConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests real ORC files, read by both schedulers on one daemon, with and without the cache. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class TestOrcThroughSchedulers {
    private static final int FILES = 3;
    private static final int ROWS = 45_000;
    private static final DecimalType MONEY = new DecimalType(18, 4);
    private static final List<SqlType> TYPES =
            List.of(PrimitiveType.BIGINT, PrimitiveType.STRING, MONEY, PrimitiveType.INT);
    private static final TableFormat ORC = new TableFormat(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            Map.of());
    private static final TableLayout TABLE = new TableLayout(
            "db.report",
            ORC,
            List.of(
                    new Column("account", PrimitiveType.BIGINT),
                    new Column("device", PrimitiveType.STRING),
                    new Column("cost", MONEY)),
            List.of(new Column("day", PrimitiveType.INT)),
            Map.of());

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());
    private final FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);
    private final List<Split> splits = new ArrayList<>();
    private final Map<String, StageGraphRunner> runners = new TreeMap<>();
    private Optional<LlapDaemon> daemon = Optional.empty();
    private Optional<TezRunner> tez = Optional.empty();
    private Path spill = Path.of("/nowhere");

    @BeforeAll
    void start(@TempDir Path folder) {
        spill = folder.resolve("spill");
        for (int day = 0; day < FILES; day++) {
            writeDay(folder.resolve("day=" + day), day);
        }
        LlapDaemon started = SmallDaemon.start(0, spill, peer -> daemon.orElseThrow());
        daemon = Optional.of(started);
        tez = Optional.of(
                TezRunner.local(() -> List.of(started), new TezSessionConfig(folder.resolve("tez"), 2, 1, Map.of())));
        runners.put("direct", new DirectScheduler(() -> List.of(started)));
        runners.put("tez", tez.get());
    }

    private void writeDay(Path folder, int day) {
        PageSink sink = formats.create(TABLE, folder.toUri() + "/000000_0");
        for (int from = 0; from < ROWS; from += 1000) {
            VectorAppender accounts = VectorAppender.of(PrimitiveType.BIGINT);
            VectorAppender devices = VectorAppender.of(PrimitiveType.STRING);
            VectorAppender costs = VectorAppender.of(MONEY);
            for (int row = from; row < from + 1000; row++) {
                accounts.appendLong(row / 7);
                byte[] device = ("device " + row % 5).getBytes(StandardCharsets.UTF_8);
                devices.appendBytes(device, 0, device.length);
                if (row % 11 == 0) {
                    costs.appendNull();
                } else {
                    costs.appendLong(row * 100L + day);
                }
            }
            sink.append(Batch.of(1000, accounts.build(), devices.build(), costs.build()));
        }
        sink.finish();
        splits.addAll(new SplitEnumerator(files, 64 << 10)
                .splits(List.of(new SplitEnumerator.Place(
                        folder.toUri().toString(), ORC, TABLE.dataColumns(), List.of(Optional.of("2026" + day))))));
    }

    @AfterAll
    void stop() {
        tez.ifPresent(TezRunner::close);
        daemon.ifPresent(LlapDaemon::close);
    }

    @AfterEach
    void nothingIsLeft() {
        LlapDaemon running = daemon.orElseThrow();
        running.whenReadsAreDone().join();
        assertThat(running.snapshot().leftovers()).isEmpty();
        assertThat(Files.exists(spill) ? spill.toFile().list() : new String[0]).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"direct,true", "direct,false", "tez,true", "tez,false"})
    void everyRowComesOnce(String scheduler, String cached) {
        for (int round = 0; round < 2; round++) {
            try (StageGraphExecution execution =
                    run(scheduler, Map.of("hive.llap.io.enabled", cached), Optional.empty())) {
                Totals totals = Totals.of(execution);
                assertThat(totals.rows).isEqualTo((long) FILES * ROWS);
                assertThat(totals.cost).isEqualTo(expectedCost(0, ROWS / 7 + 1));
                assertThat(totals.devices).isEqualTo((long) FILES * ROWS * "device 0".length());
                assertThat(totals.days).isEqualTo((20260L + 20261 + 20262) * ROWS);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"direct,true", "direct,false", "tez,true"})
    void oneAccountTouchesOneRowGroupAFile(String scheduler, String cached) {
        StageGraphExecution execution = run(scheduler, Map.of("hive.llap.io.enabled", cached), Optional.of(3000L));
        Totals totals = Totals.of(execution);
        execution.close();
        assertThat(totals.rows).isEqualTo(FILES * 7);
        assertThat(totals.cost).isEqualTo(expectedCost(3000, 3001));
        ExecutionStats stats = execution.stats();
        assertThat(stats.scan().rowGroupsRead()).isEqualTo(FILES);
        assertThat(stats.scan().rowGroupsSkipped()).isEqualTo(FILES * 4);
    }

    @Test
    void theSecondReadIsServedByTheCache() {
        try (StageGraphExecution first = run("direct", Map.of(), Optional.of(5L))) {
            Totals.of(first);
        }
        StageGraphExecution second = run("direct", Map.of(), Optional.of(5L));
        Totals.of(second);
        second.close();
        assertThat(second.stats().scan().cacheHitBytes()).isPositive();
        assertThat(second.stats().scan().cacheMissBytes()).isZero();
        assertThat(second.stats().scan().bytesRead()).isZero();
    }

    @Test
    void manyQueriesAtOnceAllGetTheirRows() throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
            List<Callable<Long>> work = new ArrayList<>();
            for (int client = 0; client < 8; client++) {
                long account = client * 700L;
                work.add(() -> {
                    long rows = 0;
                    for (int i = 0; i < 25; i++) {
                        try (StageGraphExecution execution = run("direct", Map.of(), Optional.of(account + i))) {
                            rows += Totals.of(execution).rows;
                        }
                    }
                    return rows;
                });
            }
            for (Future<Long> done : clients.invokeAll(work)) {
                assertThat(done.get()).isEqualTo(25L * FILES * 7);
            }
        }
    }

    @Test
    void aFileThatIsGoneIsReportedAndLeavesNothing() throws IOException {
        Path gone = Files.createTempDirectory("skep-gone");
        int before = splits.size();
        writeDay(gone, 9);
        List<Split> own = new ArrayList<>(splits.subList(before, splits.size()));
        splits.subList(before, splits.size()).clear();
        Files.delete(gone.resolve("000000_0"));
        Files.delete(gone);
        for (String scheduler : runners.keySet()) {
            try (StageGraphExecution execution = run(scheduler, Map.of(), Optional.empty(), own)) {
                assertThatThrownBy(() -> Totals.of(execution))
                        .cause()
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MISSING_FILE));
            }
        }
    }

    @Test
    void aCancelledScanLeavesNothing() {
        for (String scheduler : runners.keySet()) {
            StageGraphExecution execution = run(scheduler, Map.of(), Optional.empty());
            execution.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "enough"));
            execution.close();
        }
    }

    private static long expectedCost(long fromAccount, long toAccount) {
        long sum = 0;
        for (int day = 0; day < FILES; day++) {
            for (int row = 0; row < ROWS; row++) {
                if (row / 7 >= fromAccount && row / 7 < toAccount && row % 11 != 0) {
                    sum += row * 100L + day;
                }
            }
        }
        return sum;
    }

    private StageGraphExecution run(String scheduler, Map<String, String> settings, Optional<Long> account) {
        return run(scheduler, settings, account, splits);
    }

    private StageGraphExecution run(
            String scheduler, Map<String, String> settings, Optional<Long> account, List<Split> input) {
        List<ColumnPredicate> predicates = account.<List<ColumnPredicate>>map(
                        value -> List.of(new ColumnPredicate.In(0, List.of(new Datum.OfLong(value)))))
                .orElse(List.of());
        Optional<Expression> filter = account.map(value -> new Expression.In(
                new Expression.InputColumn(0, PrimitiveType.BIGINT),
                List.of(new Expression.Constant(new Datum.OfLong(value), PrimitiveType.BIGINT))));
        PlanNode scan = new PlanNode.Scan(7, new ScanRequest(TABLE, List.of(0, 1, 2, 3), predicates), filter);
        PlanNode remote = new PlanNode.RemoteSource(List.of(0), TYPES, List.of());
        PlanNode again = new PlanNode.RemoteSource(List.of(1), TYPES, List.of());
        StageGraph graph = new StageGraph(
                List.of(
                        new Fragment(0, scan, Fragment.Distribution.SOURCE, new Fragment.Output.Hash(List.of(0))),
                        new Fragment(1, remote, Fragment.Distribution.HASH, new Fragment.Output.Gather()),
                        new Fragment(2, again, Fragment.Distribution.SINGLE, new Fragment.Output.Gather())),
                List.of("account", "device", "cost", "day"),
                TYPES,
                List.of(),
                account.isPresent() ? 100 : 1e6);
        StageGraphRunner runner = runners.getOrDefault(scheduler, run -> {
            throw new IllegalArgumentException(scheduler);
        });
        QueryId id = new QueryId("orc-" + scheduler + "-" + UUID.randomUUID());
        return runner.start(new StageGraphRun(id, graph, Map.of(7, input), settings));
    }

    /** Sums over all rows of a result. */
    private static final class Totals {
        long rows;
        long cost;
        long devices;
        long days;

        static Totals of(StageGraphExecution execution) {
            Totals totals = new Totals();
            for (Optional<Batch> next = execution.next().join();
                    next.isPresent();
                    next = execution.next().join()) {
                totals.add(next.get());
            }
            return totals;
        }

        private void add(Batch batch) {
            rows += batch.rowCount();
            LongVector costs = (LongVector) batch.column(2).flatten();
            BytesVector names = (BytesVector) batch.column(1).flatten();
            LongVector dayValues = (LongVector) batch.column(3).flatten();
            for (int i = 0; i < batch.rowCount(); i++) {
                cost += costs.isNull(i) ? 0 : costs.value(i);
                devices += names.lengths()[i];
                days += dayValues.value(i);
            }
        }
    }
}
