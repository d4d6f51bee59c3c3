package io.skep.itests.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.ContainerCluster;
import io.skep.itests.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every file of SQL tests in containers of YARN over its HDFS, without a daemon. It runs only with
 * {@code -Dskep.containers=all} (docs/testing/on-yarn.md).
 */
@EnabledIfSystemProperty(named = "skep.containers", matches = "all")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSqlFilesInContainers {
    private ContainerCluster cluster;
    private ServerProcess server;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        cluster = ContainerCluster.start(folder.resolve("cluster"));
        server = ServerProcess.start(folder.resolve("data"), cluster.site());
    }

    @AfterAll
    void stop() {
        server.close();
        cluster.close();
    }

    static Stream<SqlCase> cases() throws IOException {
        return SqlCase.all(ExecutionMode.CONTAINER);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gives(SqlCase test, @TempDir Path work) throws Exception {
        test.run(server.url(), work, cluster.site().get("fs.defaultFS") + "/files/" + test.database());
        assertThat(cluster.queryFiles()).isEmpty();
    }
}
