package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Regular expressions that would run for years end when their statement ends, both in a scan and during constant
 * folding.
 */
@ExtendWith(SharedServer.class)
@Timeout(120)
final class TestEndlessPatterns {
    private final ReleasedClient client = ReleasedClient.open();
    private final TestServer server;
    private final Connection connection;

    TestEndlessPatterns(TestServer server) throws Exception {
        this.server = server;
        this.connection = client.connect(server.jdbcUrl());
    }

    @BeforeEach
    void table() throws SQLException {
        execute("CREATE DATABASE endless");
        execute("CREATE TABLE endless.t STORED AS ORC AS SELECT concat(repeat('a', 60), 'b') AS a");
    }

    @AfterEach
    void close() throws Exception {
        execute("DROP DATABASE endless CASCADE");
        connection.close();
        client.close();
        server.assertNothingLeft();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String outcome(Statement statement, String sql) {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return "rows: " + rows.next();
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static boolean isMatching() {
        return Thread.getAllStackTraces().values().stream()
                .anyMatch(stack -> has(stack, "io.skep.engine.function.scalar.") && has(stack, "java.util.regex."));
    }

    private static boolean has(StackTraceElement[] stack, String prefix) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith(prefix));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "direct;a rlike '^(a|a)*\\\\1c$'",
                "direct;regexp_replace(a, '^(a|a)*\\\\1c$', '')",
                "direct;regexp_extract(a, '^(a|a)*\\\\1c$', 0)",
                "direct;split(a, '^(a|a)*\\\\1c$')",
                "tez;a rlike '^(a|a)*\\\\1c$'"
            })
    void endWithTheirQuery(String scheduler, String call) throws Exception {
        execute("SET skep.scheduler=" + scheduler);
        try (Statement statement = connection.createStatement()) {
            CompletableFuture<String> outcome = new CompletableFuture<>();
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> outcome.complete(outcome(statement, "SELECT " + call + " FROM endless.t")));
            server.awaitThat("it matches", TestEndlessPatterns::isMatching);
            server.server()
                    .sessions()
                    .all()
                    .forEach(session -> server.server().sessions().cancelAll(session.id(), "ended by the test"));
            assertThat(outcome.get()).contains("ended by the test");
        }
        server.awaitThat("its thread has heard of it", () -> !isMatching());
        assertThat(server.server().snapshot().executors().writtenOff()).isZero();
    }

    @Test
    void endWithTheLimitOfACompilation() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThat(outcome(statement, "SELECT concat(repeat('a', 60), 'b') rlike '^(a|a)*\\\\1c$'"))
                    .doesNotContain("rows: ");
        }
        server.awaitThat(
                "its thread has heard of it",
                () -> server.server().sessions().compiling().compiling() == 0 && !isMatching());
    }
}
