package io.skep.itests.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every file of SQL tests in every mode. */
@ExtendWith(SharedServer.class)
final class TestSqlFiles {
    static Stream<SqlCase> cases() throws IOException {
        return SqlCase.all(ExecutionMode.EVERYWHERE.toArray(ExecutionMode[]::new));
    }

    @Test
    void thereAreFiles() throws IOException {
        assertThat(cases()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gives(SqlCase test, TestServer server, @TempDir Path work) throws Exception {
        test.run(server.jdbcUrl(), work, "file:" + work);
    }
}
