package io.skep.itests.hdfs;

import io.skep.itests.sql.ChosenRuns;
import io.skep.itests.sql.ExecutionMode;
import io.skep.itests.sql.SqlCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every file of SQL tests with tables on HDFS, either by the server itself or through Tez. With
 * {@code -Dskep.hdfs=all} it runs both.
 */
@ExtendWith(SharedHdfsServer.class)
final class TestSqlFilesOnHdfs {
    static Stream<SqlCase> cases() throws IOException {
        return ChosenRuns.of(SqlCase.all(ExecutionMode.DIRECT, ExecutionMode.TEZ), 2, "skep.hdfs");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gives(SqlCase test, HdfsServer hdfs, @TempDir Path work) throws Exception {
        test.run(hdfs.server().jdbcUrl(), work, hdfs.hadoop().uri() + "/files/" + test.database());
    }
}
