package io.skep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TestTpcdsQuery {
    @ParameterizedTest
    @CsvSource(quoteCharacter = '!', delimiter = '~', textBlock = """
            SELECT "a" FROM t WHERE "b" = '"c"'           ~ SELECT `a` FROM t WHERE `b` = '"c"'
            SELECT "sum"("a") FROM t                      ~ SELECT sum(`a`) FROM t
            SELECT DECIMAL '1.20' * CAST(1 AS DECIMAL(7)) ~ SELECT 1.20BD * CAST(1 AS DECIMAL(7))
            SELECT 1 FROM (SELECT 2) WHERE true           ~ SELECT 1 FROM (SELECT 2) unnamed1 WHERE true
            SELECT 1 FROM t, (SELECT 2)                   ~ SELECT 1 FROM t, (SELECT 2) unnamed1
            SELECT 1 FROM (SELECT 2) a, (SELECT 3) "b"    ~ SELECT 1 FROM (SELECT 2) a, (SELECT 3) `b`
            SELECT 1 FROM t UNION ALL (SELECT 2)          ~ SELECT 1 FROM t UNION ALL (SELECT 2)
            SELECT (SELECT 1), 2 FROM t                   ~ SELECT (SELECT 1), 2 FROM t
            WITH a AS (SELECT 1) SELECT 2 FROM a          ~ WITH a AS (SELECT 1) SELECT 2 FROM a
            rank() OVER (PARTITION BY (a + b), (c))       ~ rank() OVER (PARTITION BY a + b, (c))
            """)
    void translatesToHiveQl(String presto, String hive) {
        assertThat(new TpcdsQuery(presto).forSkep().replaceAll(" +", " ")).isEqualTo(hive);
    }

    @Test
    void leavesNoOrderOpen() throws SQLException {
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            statement.execute("CREATE TABLE t (a INT, b INT)");
            TpcdsQuery query = new TpcdsQuery("SELECT * FROM (SELECT * FROM t ORDER BY b) ORDER BY a LIMIT 3");
            assertThat(query.totallyOrdered(duckDb).text())
                    .isEqualTo("SELECT * FROM (SELECT * FROM t ORDER BY b) ORDER BY a, 1, 2\nLIMIT 3");
            assertThat(new TpcdsQuery("SELECT a FROM t ORDER BY 1 + 1")
                            .totallyOrdered(duckDb)
                            .text())
                    .isEqualTo("SELECT a FROM t ORDER BY 1 + 1, 1\n");
            TpcdsQuery unordered = new TpcdsQuery("SELECT count(*) FROM t LIMIT 3");
            assertThat(unordered.totallyOrdered(duckDb)).isEqualTo(unordered);
        }
    }
}
