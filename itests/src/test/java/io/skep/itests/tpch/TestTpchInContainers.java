package io.skep.itests.tpch;

import io.skep.itests.server.ContainerCluster;
import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the 22 queries in containers of YARN, which takes minutes. DuckDB provides the expected answers. */
@EnabledIfSystemProperty(named = "skep.containers", matches = "all")
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTpchInContainers {
    /** At a tenth of this scale each query would run as a single task. */
    private static final double SCALE = 0.1;

    private ContainerCluster cluster;
    private ServerProcess server;
    private TpchSuite tpch;

    @BeforeAll
    void load(@TempDir Path folder) throws Exception {
        cluster = ContainerCluster.start(folder.resolve("cluster"));
        server = ServerProcess.start(folder.resolve("data"), cluster.site());
        // The server's own daemon loads the tables faster.
        tpch = TpchSuite.load(server.url() + "?hive.execution.mode=llap", folder.resolve("rows"), SCALE);
    }

    @AfterAll
    void stop() throws Exception {
        tpch.close();
        server.close();
        cluster.close();
    }

    static Stream<Arguments> runs() {
        return TpchSuite.runs(List.of(List.of("hive.execution.mode=container")));
    }

    @ParameterizedTest(name = "q{0} {1}")
    @MethodSource("runs")
    void answersAsThePeerDoes(int query, List<String> mode) throws IOException, SQLException {
        tpch.check(query, mode);
    }
}
