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

/** Files of SQL tests on daemons in processes of their own: every other one, directly or through Tez; with {@code -Dskep.daemons=all} all. */
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
