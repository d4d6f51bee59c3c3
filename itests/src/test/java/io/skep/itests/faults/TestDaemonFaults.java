package io.skep.itests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.itests.faults.DaemonSite.Place;
import io.skep.itests.files.SmallDisk;
import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills or stops daemons while they work. A query returns the right answer or one clear error, and the live daemons
 * keep no leftovers of it. A daemon that comes back on its port is assigned work again.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDaemonFaults {
    private static final int QUEUE_FULL = 80004;
    private static final int DISK_FULL = 80002;

    private DaemonSite site;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        List<Place> places = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            places.add(Place.local(folder.resolve("daemon" + number), Map.of()));
        }
        site = DaemonSite.start(places, folder.resolve("data"), Map.of());
    }

    @AfterAll
    void stop() throws Exception {
        site.close();
    }

    @BeforeEach
    void repair() throws IOException {
        site.repair();
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        site.assertNothingLeft();
    }

    @Test
    void killedInAScan() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.COUNTED, "direct");
        site.daemon(1).kill();
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
    }

    @Test
    void killedInAShuffle() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "auto");
        site.daemon(0).kill();
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
    }

    @Test
    void killedInADag() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "tez");
        site.daemon(1).kill();
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
    }

    /** Starts another incarnation on the same port before any peer has noticed the loss of the first one. */
    @Test
    void restartedInAScan() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "direct");
        site.daemon(1).kill();
        site.repair();
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
        assertThat(site.queryOnAll(Pairs.COUNTED, "direct").join()).isEqualTo(Pairs.COUNT);
    }

    /** The query names the full disk. The daemon still runs work that needs no disk. */
    @Test
    void diskOfOneIsFull() throws Exception {
        try (Connection connection = site.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET skep.scheduler=direct");
            statement.execute("SET skep.operator.max-memory=65536");
            try (SmallDisk _ = SmallDisk.mount(Files.createDirectories(site.spillFolder(1)), "256k")) {
                SQLException failure =
                        catchThrowableOfType(SQLException.class, () -> number(statement, Pairs.SPILLING));
                assertThat((Throwable) failure).isNotNull();
                assertThat(failure.getErrorCode()).as(failure.getMessage()).isEqualTo(DISK_FULL);
                assertThat(failure.getMessage()).contains(site.spillFolder(1).toString(), "bytes free");
                assertThat(number(statement, Pairs.SUM)).isEqualTo(Pairs.TOTAL);
                site.assertNothingLeft();
            }
            assertThat(number(statement, Pairs.SPILLING)).isEqualTo(Pairs.ALL_ROWS);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    /**
     * The stopped daemon does not answer, and no connection breaks. When it continues, it ends the work for which no
     * caller waits any more.
     */
    @Test
    void stoppedInAScan() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.COUNTED, "direct");
        site.daemon(1).signal("STOP");
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
        site.daemon(1).signal("CONT");
        site.awaitConnected(2);
    }

    @Test
    void stoppedInAShuffle() throws Exception {
        CompletableFuture<Long> query = site.queryOnAll(Pairs.GROUPED, "direct");
        site.daemon(0).signal("STOP");
        assertThat(query.join()).isEqualTo(Pairs.COUNT);
        site.daemon(0).signal("CONT");
        site.awaitConnected(2);
    }

    @Test
    void killedInAResult() throws Exception {
        endsUnderAResult("KILL");
    }

    @Test
    void stoppedInAResult() throws Exception {
        endsUnderAResult("STOP");
        site.daemon(1).signal("CONT");
        site.awaitConnected(2);
    }

    /** The query cannot run again, because rows have already been sent. */
    private void endsUnderAResult(String signal) throws Exception {
        try (Connection connection = site.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Pairs.MANY_ROWS)) {
            assertThat(rows.next()).isTrue();
            site.daemon(1).signal(signal);
            assertThatThrownBy(() -> readOn(rows)).isInstanceOfSatisfying(SQLException.class, e -> {
                // The driver does not preserve the error code of errors that occur while it fetches.
                assertThat(e.getMessage()).contains(site.daemon(1).endpoint());
            });
        }
    }

    @Test
    void killedInAWrite() throws Exception {
        isWrittenOnce("KILL");
        site.repair();
        writes();
    }

    /**
     * When the daemon continues, it holds open files that no writer needs any more, and may be about to create others.
     */
    @Test
    void stoppedInAWrite() throws Exception {
        isWrittenOnce("STOP");
        writes();
        site.daemon(1).signal("CONT");
        site.awaitConnected(2);
        ServerProcess.await(() -> site.leftovers().isEmpty());
        assertThat(site.filesOf("written")).noneMatch(file -> file.contains(".skep-staging"));
        writes();
    }

    /**
     * The remaining daemon writes the rows again. What the lost daemon has written or still writes is not committed.
     */
    private void isWrittenOnce(String signal) throws Exception {
        try (Connection connection = site.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS written");
            statement.execute("CREATE TABLE written (a BIGINT, n BIGINT) STORED AS ORC");
            CompletableFuture<Void> write = site.executeOnAll(Pairs.WRITTEN);
            site.daemon(1).signal(signal);
            write.join();
            assertThat(number(statement, "SELECT sum(n) FROM written")).isEqualTo(Pairs.COUNT);
        }
    }

    private void writes() throws Exception {
        try (Connection connection = site.connect();
                Statement statement = connection.createStatement()) {
            long before = number(statement, "SELECT coalesce(sum(n), 0) FROM written");
            statement.execute(Pairs.WRITTEN);
            assertThat(number(statement, "SELECT sum(n) FROM written")).isEqualTo(before + Pairs.COUNT);
        }
    }

    private static void readOn(ResultSet rows) throws SQLException {
        while (rows.next()) {
            assertThat(rows.getLong(1)).isNotNegative();
        }
    }

    @Test
    void allAreGoneAndComeBack() throws Exception {
        site.daemon(0).kill();
        site.daemon(1).kill();
        site.awaitConnected(0);
        assertThatThrownBy(() -> site.ask(Pairs.SUM, "direct").join())
                .cause()
                .isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(QUEUE_FULL);
                    assertThat(e.getMessage())
                            .contains(site.daemon(0).endpoint(), site.daemon(1).endpoint());
                });
        site.repair();
        assertThat(site.ask(Pairs.SUM, "direct").join()).isEqualTo(Pairs.TOTAL);
    }
}
