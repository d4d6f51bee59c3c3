package io.skep.itests.daemons;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.bench.TpchTables;
import io.skep.itests.sql.ChosenRuns;
import io.skep.itests.tpch.TpchSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
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
 * Runs the 22 queries on daemons in their own processes, either directly or through Tez. With
 * {@code -Dskep.daemons=all} it runs both. DuckDB provides the expected answers.
 */
@ExtendWith(SharedRemoteServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTpchOnDaemons {
    private TpchSuite tpch;

    @BeforeAll
    void load(RemoteServer server, @TempDir Path folder) throws Exception {
        tpch = TpchSuite.load(server.url(), folder);
    }

    @AfterAll
    void drop(RemoteServer server) throws Exception {
        assertThat(server.cachedChunks()).isPositive();
        tpch.drop();
        tpch.close();
    }

    static Stream<Arguments> runs() {
        return ChosenRuns.of(
                IntStream.rangeClosed(1, TpchTables.QUERIES)
                        .boxed()
                        .flatMap(query -> Stream.of("direct", "tez").map(scheduler -> Arguments.of(query, scheduler))),
                1,
                "skep.daemons");
    }

    @ParameterizedTest(name = "q{0} {1}")
    @MethodSource("runs")
    void answersAsThePeerDoes(int query, String scheduler) throws IOException, SQLException {
        tpch.check(query, List.of("skep.scheduler=" + scheduler));
    }
}
