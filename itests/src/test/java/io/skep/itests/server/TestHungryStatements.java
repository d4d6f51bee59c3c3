package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Short statements whose functions would use gigabytes, in a server with a heap of 1 GB. Each statement returns its
 * answer or is rejected with an error code, and the server continues.
 */
@Timeout(300)
final class TestHungryStatements {
    private static final String REFUSED = "refused";

    /** Error codes as Hive's client shows them. */
    private static final int MEMORY_LIMIT_EXCEEDED = 80001;

    private static final int INVALID_ARGUMENT = 10014;

    @TempDir
    private Path folder;

    @Test
    void areAnsweredOrRefused() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        try (ReleasedClient client = ReleasedClient.open();
                ServerProcess server = ServerProcess.start(data, Map.of());
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE one (a INT) STORED AS ORC");
            statement.execute("INSERT INTO one VALUES (1)");
            String arrays = "(SELECT split(space(100000), ' ') s FROM one"
                    + " LATERAL VIEW explode(split(space(1000), ' ')) t AS x)";
            String rows = "(SELECT a FROM one LATERAL VIEW replicate_rows(3000000L, a) r AS n, b)";
            Object[][] cases = {
                {"SELECT in_bloom_filter(1, unhex('0120000000'))", REFUSED},
                {"SELECT in_bloom_filter(a, unhex('0120000000')) FROM one", REFUSED},
                {"SELECT length(concat_ws(repeat('x', 1000000), split(space(10000), ' '))) FROM one", REFUSED},
                {"SELECT get_json_object(concat(repeat('[', 100), repeat('[],', 30000000)), '$.a') FROM one", REFUSED},
                {"SELECT count(*) FROM one LATERAL VIEW replicate_rows(20000000L, a) r AS n, b", "20000000"},
                {"SELECT count(*) FROM " + arrays + " q LATERAL VIEW explode(s) u AS y", "100101001"},
                {
                    "SELECT count(*) FROM (SELECT 1 x FROM " + rows + " l INTERSECT ALL SELECT 1 x FROM " + rows
                            + " r) t",
                    "3000000"
                },
                {
                    "SELECT max(size(s)) FROM (SELECT collect_list(n) OVER (ORDER BY n) s FROM"
                            + " (SELECT pos n FROM one LATERAL VIEW posexplode(split(space(50000), ' ')) t AS pos,"
                            + " x) q) w",
                    REFUSED
                },
                {"SELECT sum(a) FROM one", "1"},
            };
            // Its rows share their elements until they are written.
            statement.execute("CREATE TABLE arrays STORED AS ORC AS SELECT s FROM " + arrays + " q LIMIT 200");
            for (Object[] one : cases) {
                String sql = (String) one[0];
                assertThat(outcome(statement, sql)).as(sql).isEqualTo(one[1]);
                assertThat(server.process().isAlive())
                        .as("the server after %s", sql)
                        .isTrue();
            }
        }
    }

    private static String outcome(Statement statement, String sql) {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).as(e.getMessage()).isIn(MEMORY_LIMIT_EXCEEDED, INVALID_ARGUMENT);
            return REFUSED;
        }
    }
}
