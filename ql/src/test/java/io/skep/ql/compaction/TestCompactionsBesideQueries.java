package io.skep.ql.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.transaction.CompactionFilter;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Initiator, workers and cleaner run as fast as they can beside writers and readers. */
final class TestCompactionsBesideQueries {
    private static final int ROWS = 40;
    private static final int UPDATES = 25;

    @Test
    @Timeout(300)
    void readersSeeAllRowsOnce() throws Exception {
        CompactionConfig config = new CompactionConfig(
                true,
                true,
                2,
                Duration.ofHours(1),
                Duration.ofMillis(50),
                Duration.ofMillis(20),
                new CompactionThresholds(2, 0.5, 2, Duration.ofMillis(1)),
                256 << 20);
        try (TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
                SqlSession session = engine.session()) {
            engine.run(session, "create table t (a int, v int) stored as orc tblproperties ('transactional'='true')");
            String values = String.join(
                    ",", IntStream.range(0, ROWS).mapToObj(i -> "(" + i + ",0)").toList());
            engine.run(session, "insert into t values " + values);
            AtomicBoolean ended = new AtomicBoolean();
            try (CompactionService _ =
                            new CompactionService(engine.compactionParts(), config, "server", InstantSource.system());
                    ExecutorService clients = Executors.newFixedThreadPool(3)) {
                List<Future<?>> readers = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    readers.add(clients.submit(read(engine, ended)));
                }
                try {
                    clients.submit(write(engine)).get();
                } finally {
                    ended.set(true);
                }
                for (Future<?> reader : readers) {
                    reader.get();
                }
            }
            assertThat(engine.rows(session, "select count(*), count(distinct a), sum(v) from t"))
                    .containsExactly(ROWS + " | " + ROWS + " | " + ROWS / 2 * UPDATES);
            assertThat(engine.compactionParts().store().compactions(CompactionFilter.ALL))
                    .as("compactions")
                    .hasSizeGreaterThan(2)
                    .noneMatch(one -> one.state().equals("failed"));
        }
    }

    private static Callable<Void> write(TestingEngine engine) {
        return () -> {
            try (SqlSession session = engine.session()) {
                for (int i = 0; i < UPDATES; i++) {
                    run(engine, session, "update t set v = v + 1 where a % 2 = " + i % 2);
                    run(engine, session, "update t set v = v + 1 where a % 2 = " + (i + 1) % 2 + " and a < 0");
                }
            }
            return null;
        };
    }

    /** Another transaction may be in the way, which is no matter of compactions. */
    private static void run(TestingEngine engine, SqlSession session, String statement) {
        for (int attempt = 0; ; attempt++) {
            try {
                engine.run(session, statement);
                return;
            } catch (SkepException e) {
                if (attempt == 3 || e.code() != StandardErrorCode.TRANSACTION_ABORTED) {
                    throw e;
                }
            }
        }
    }

    private static Callable<Void> read(TestingEngine engine, AtomicBoolean ended) {
        return () -> {
            try (SqlSession session = engine.session()) {
                while (!ended.get()) {
                    List<String> found = engine.rows(session, "select count(*), count(distinct a) from t");
                    assertThat(found).containsExactly(ROWS + " | " + ROWS);
                }
            }
            return null;
        };
    }
}
