package io.skep.itests.yarn;

import io.skep.itests.sql.ExecutionMode;
import io.skep.itests.sql.SqlCase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every file of SQL tests on YARN's daemons over HDFS, directly and through Tez on YARN. It runs only with
 * {@code -Dskep.yarn=all} (docs/testing/on-yarn.md).
 */
@EnabledIfSystemProperty(named = "skep.yarn", matches = "all")
@ExtendWith(SharedYarnSite.class)
final class TestSqlFilesOnYarn {
    static Stream<SqlCase> cases() throws IOException {
        return SqlCase.all(ExecutionMode.DIRECT, ExecutionMode.TEZ);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gives(SqlCase test, YarnSite site, @TempDir Path work) throws Exception {
        test.run(site.url(), work, site.files() + "/files/" + test.database());
    }
}
