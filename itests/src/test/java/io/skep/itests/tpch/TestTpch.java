package io.skep.itests.tpch;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the 22 queries directly and through Tez, with and without the cache, and with spilling. DuckDB provides the
 * expected answers.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTpch {
    private static final List<List<String>> MODES = List.of(
            List.of("skep.scheduler=direct"),
            List.of("skep.scheduler=direct", "hive.llap.io.enabled=false"),
            List.of("skep.scheduler=direct", "skep.operator.max-memory=65536"),
            List.of("skep.scheduler=tez"));

    private TpchSuite tpch;

    @BeforeAll
    void load(TestServer server, @TempDir Path folder) throws Exception {
        tpch = TpchSuite.load(server.jdbcUrl(), folder);
    }

    @AfterAll
    void drop() throws Exception {
        tpch.drop();
        tpch.close();
    }

    static Stream<Arguments> runs() {
        return TpchSuite.runs(MODES);
    }

    @ParameterizedTest(name = "q{0} {1}")
    @MethodSource("runs")
    void answersAsThePeerDoes(int query, List<String> mode) throws IOException, SQLException {
        tpch.check(query, mode);
    }
}
