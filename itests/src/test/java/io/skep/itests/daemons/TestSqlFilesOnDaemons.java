package io.skep.itests.daemons;

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
 * Runs files of SQL tests on daemons in their own processes. By default it runs every second file, either directly or
 * through Tez. With {@code -Dskep.daemons=all} it runs all of them.
 */
@ExtendWith(SharedRemoteServer.class)
final class TestSqlFilesOnDaemons {
    static Stream<SqlCase> cases() throws IOException {
        return ChosenRuns.of(SqlCase.all(ExecutionMode.DIRECT, ExecutionMode.TEZ), 2, "skep.daemons");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gives(SqlCase test, RemoteServer server, @TempDir Path work) throws Exception {
        test.run(server.url(), work, "file:" + work);
    }
}
