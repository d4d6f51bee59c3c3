package io.skep.itests.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.bench.TpchTables;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the 22 queries on YARN's daemons over HDFS, directly and through Tez on YARN. It runs only with
 * {@code -Dskep.yarn=all} (docs/testing/on-yarn.md). DuckDB provides the expected answers.
 */
@EnabledIfSystemProperty(named = "skep.yarn", matches = "all")
@ExtendWith(SharedYarnSite.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTpchOnYarn {
    private TpchSuite tpch;

    @BeforeAll
    void load(YarnSite site, @TempDir Path folder) throws Exception {
        tpch = TpchSuite.load(site.url(), folder);
    }

    @AfterAll
    void drop(YarnSite site) throws Exception {
        assertThat(site.cachedChunks()).isPositive();
        assertThat(site.masters()).isNotEmpty();
        tpch.drop();
        tpch.close();
    }

    static Stream<Arguments> runs() {
        return IntStream.rangeClosed(1, TpchTables.QUERIES)
                .boxed()
                .flatMap(query -> Stream.of("direct", "tez").map(scheduler -> Arguments.of(query, scheduler)));
    }

    @ParameterizedTest(name = "q{0} {1}")
    @MethodSource("runs")
    void answersAsThePeerDoes(int query, String scheduler) throws IOException, SQLException {
        tpch.check(query, List.of("skep.scheduler=" + scheduler));
    }
}
