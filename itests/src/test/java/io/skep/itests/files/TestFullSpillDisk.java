package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.StandardErrorCode;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Queries that spill to a disk that becomes full. Each fails with one error that names the location and leaves nothing
 * behind, and the session continues.
 */
@ExtendWith(SharedServer.class)
final class TestFullSpillDisk {
    private static final String HUNDREDS = "(SELECT posexplode(split(space(199), ' ')) AS (i, e))";

    /** 40,000 rows of about 60 bytes, which is more than the disk can hold. */
    private static final String ROWS = "CREATE TABLE full_spill.t STORED AS ORC AS SELECT a.i * 200 + b.i AS k,"
            + " concat(repeat('x', 40), b.i, '-', a.i) AS s FROM " + HUNDREDS + " a CROSS JOIN " + HUNDREDS + " b";

    private static final List<String> SPILLS = List.of(
            "SELECT s, k FROM full_spill.t ORDER BY s DESC, k",
            "SELECT s, count(*), max(k) FROM full_spill.t GROUP BY s",
            "SELECT x.s, y.k FROM full_spill.t x JOIN full_spill.t y ON x.s = y.s");

    @Test
    void sortAggregationAndJoin(TestServer server) throws Exception {
        Path disk = Files.createDirectories(server.data().resolve("spill"));
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE full_spill");
            statement.execute(ROWS);
            statement.execute("SET skep.operator.max-memory=65536");
            try (SmallDisk _ = SmallDisk.mount(disk, "512k")) {
                for (String sql : SPILLS) {
                    assertRefused(statement, sql, disk);
                }
            }
            for (String sql : SPILLS) {
                assertThat(ReleasedClient.countRows(statement, sql)).isEqualTo(40_000);
            }
        } finally {
            drop(server);
        }
    }

    private static void assertRefused(Statement statement, String sql, Path disk) throws Exception {
        SQLException failure = catchThrowableOfType(SQLException.class, () -> ReleasedClient.countRows(statement, sql));
        assertThat((Throwable) failure).as(sql).isNotNull();
        assertThat(failure.getErrorCode()).as(sql).isEqualTo(StandardErrorCode.DISK_FULL.code());
        assertThat(failure.getSQLState()).isEqualTo(StandardErrorCode.DISK_FULL.sqlState());
        assertThat(failure.getMessage()).contains(disk.toString(), "hint: ", "bytes free");
        assertThat(ReleasedClient.countRows(statement, "SELECT 1")).isEqualTo(1);
        try (Stream<Path> left = Files.list(disk)) {
            assertThat(left).as("left after " + sql).isEmpty();
        }
    }

    private static void drop(TestServer server) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS full_spill CASCADE");
        }
    }
}
