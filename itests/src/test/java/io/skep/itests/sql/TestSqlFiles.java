package io.skep.itests.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Sampling;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every file of SQL tests in the first mode and one other, and in every mode with {@link Sampling all cases}. */
@ExtendWith(SharedServer.class)
final class TestSqlFiles {
    static Stream<SqlCase> cases() throws IOException {
        int modes = ExecutionMode.EVERYWHERE.size();
        List<SqlCase> all = SqlCase.all(ExecutionMode.EVERYWHERE.toArray(ExecutionMode[]::new))
                .toList();
        return IntStream.range(0, all.size())
                .filter(index ->
                        index % modes == 0 || (index % modes - 1 - index / modes) % Sampling.stride(modes - 1) == 0)
                .mapToObj(all::get);
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
