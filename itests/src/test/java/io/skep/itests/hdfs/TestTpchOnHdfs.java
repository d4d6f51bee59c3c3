package io.skep.itests.hdfs;

import io.skep.itests.tpch.TpchSuite;
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

/** Runs the 22 queries over tables on HDFS, directly and through Tez. DuckDB provides the expected answers. */
@ExtendWith(SharedHdfsServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTpchOnHdfs {
    private TpchSuite tpch;

    @BeforeAll
    void load(HdfsServer hdfs, @TempDir Path folder) throws Exception {
        tpch = TpchSuite.load(hdfs.server().jdbcUrl(), folder);
    }

    @AfterAll
    void drop() throws Exception {
        tpch.drop();
        tpch.close();
    }

    static Stream<Arguments> runs() {
        return TpchSuite.runs(
                List.of(List.of("skep.scheduler=direct", "hive.llap.io.enabled=false"), List.of("skep.scheduler=tez")));
    }

    @ParameterizedTest(name = "q{0} {1}")
    @MethodSource("runs")
    void answersAsThePeerDoes(int query, List<String> mode) throws IOException, SQLException {
        tpch.check(query, mode);
    }
}
