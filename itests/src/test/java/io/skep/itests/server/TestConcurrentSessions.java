package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;
import io.skep.service.session.ResultPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs concurrent sessions with nested joins, joins below limits, and queries that are cancelled at random times. No
 * query hangs, and none leaves anything behind.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class TestConcurrentSessions {
    private static final int SESSIONS = 8;
    private static final int ROUNDS = 5;
    private static final int MANY_ROWS = 100_000;

    /** Queries and their row counts. */
    private static final Map<String, Integer> QUERIES = Map.of(
            "SELECT k FROM few GROUP BY k HAVING k NOT IN (SELECT k FROM fewer WHERE few.k = fewer.k)", 3,
            "SELECT k, k > ANY (SELECT k FROM few) FROM few", 4,
            "SELECT f.k, g.k FROM few f RIGHT JOIN fewer g ON f.k = g.k LEFT JOIN few h ON g.k = h.k", 2,
            "SELECT a.x FROM many a JOIN many b ON a.x = b.x LIMIT 5", 5,
            "SELECT a.x FROM many a FULL JOIN few b ON a.x = b.k LIMIT 7", 7,
            "SELECT count(*) FROM many a JOIN many b ON a.x = b.x WHERE a.x % 7 = 3", 1,
            "SELECT x % 1000, count(*), max(x) FROM many GROUP BY x % 1000", 1000);

    @BeforeAll
    void makeTables(TestServer server) {
        inSession(server, "default", session -> {
            run(session, "CREATE DATABASE side");
            run(session, "CREATE TABLE side.few (k INT) STORED AS ORC");
            run(session, "CREATE TABLE side.fewer (k INT) STORED AS ORC");
            run(session, "CREATE TABLE side.many (x BIGINT) STORED AS ORC");
            run(session, "INSERT INTO side.few VALUES (1), (2), (3), (40)");
            run(session, "INSERT INTO side.fewer VALUES (1), (5)");
            run(
                    session,
                    "INSERT INTO side.many SELECT pos FROM (SELECT 1) one" + " LATERAL VIEW posexplode(split(space("
                            + (MANY_ROWS - 1) + "), ' ')) n AS pos, v");
        });
    }

    @AfterAll
    void dropTables(TestServer server) {
        inSession(server, "default", session -> run(session, "DROP DATABASE side CASCADE"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"skep.operator.max-memory=268435456", "skep.operator.max-memory=65536", "skep.scheduler=tez"})
    void answersAreWholeAndCancelledQueriesLeaveNothing(String mode, TestServer server) throws Exception {
        boolean slow = mode.endsWith("tez");
        int rounds = slow ? 1 : ROUNDS;
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int client = 0; client < (slow ? 2 : SESSIONS); client++) {
                Random random = new Random(client);
                clients.add(threads.submit(() -> inSession(server, "side", session -> {
                    run(session, "SET " + mode);
                    for (int round = 0; round < rounds; round++) {
                        QUERIES.forEach((query, rows) -> {
                            if (random.nextInt(3) == 0) {
                                cancel(session, query, random.nextInt(20));
                            } else {
                                assertThat(run(session, query)).as(query).isEqualTo(rows);
                            }
                        });
                    }
                })));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
    }

    private static void inSession(TestServer server, String database, Consumer<ClientSession> work) {
        ClientSession session = server.server().sessions().open("side", "test", Map.of("use:database", database));
        try {
            work.accept(session);
        } finally {
            server.server().sessions().close(session.id());
        }
    }

    /** Returns the number of rows. */
    private static int run(ClientSession session, String sql) {
        Operation operation = session.execute(sql, false);
        operation.failure().ifPresent(failure -> {
            throw failure;
        });
        int rows = 0;
        if (operation.schema().isPresent()) {
            for (ResultPage page = operation.fetch(MANY_ROWS); page.rowCount() > 0; page = operation.fetch(MANY_ROWS)) {
                rows += page.rowCount();
            }
        }
        session.close(operation.id());
        return rows;
    }

    private static void cancel(ClientSession session, String sql, int afterMillis) {
        Operation operation = session.execute(sql, true);
        operation.await(Duration.ofMillis(afterMillis));
        operation.cancel("the test wants it");
        try {
            operation.fetch(MANY_ROWS);
        } catch (SkepException e) {
            assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        }
        session.close(operation.id());
    }
}
