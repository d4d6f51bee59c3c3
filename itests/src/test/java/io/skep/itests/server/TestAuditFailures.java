package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.skep.common.error.SkepException;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.files.SmallDisk;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The audit log on a full disk, and of a server that is killed. */
@Timeout(300)
final class TestAuditFailures {
    private static final int AUDIT_LOG_FAILED = 80030;
    private static final int WRITERS = 4;
    private static final int ENOUGH = 200;

    @TempDir
    private Path folder;

    /** Takes all room that is left. */
    private static Path fill(Path disk) throws IOException {
        Path filler = disk.resolve("filler");
        try (var out = Files.newByteChannel(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var block = java.nio.ByteBuffer.allocate(512);
            while (true) {
                block.rewind();
                out.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
        return filler;
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> texts(Path audit) throws IOException {
        return AuditLines.of(audit, "STATEMENT").stream()
                .map(line -> line.get("text").textValue())
                .toList();
    }

    @Test
    void aFullDiskRefusesStatementsUntilThereIsRoom() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Path audit = disk.resolve("audit");
        try (SmallDisk _ = SmallDisk.mount(disk, "64k");
                ReleasedClient client = ReleasedClient.open();
                SkepServer server = SkepServer.start(new ServerOptions(
                        0,
                        0,
                        folder.resolve("data"),
                        Map.of(
                                "skep.audit.enabled",
                                "true",
                                "skep.audit.statement-text",
                                "redacted",
                                "skep.audit.folder",
                                audit.toString())));
                Connection connection = client.connect(server.jdbcUrl())) {
            run(connection, "create table t (a int)");
            Path filler = fill(disk);
            int allowed = 0;
            try {
                // What is left of the last block takes some lines.
                for (; allowed < 100; allowed++) {
                    run(connection, "select " + allowed);
                }
            } catch (SQLException e) {
                assertRefused(e);
            }
            assertThat(allowed).isLessThan(100);
            assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
                    .isInstanceOfSatisfying(SQLException.class, TestAuditFailures::assertRefused);
            assertThatThrownBy(() -> connection.getMetaData().getTables(null, null, "%", null))
                    .isInstanceOfSatisfying(SQLException.class, TestAuditFailures::assertRefused);
            assertThatThrownBy(() -> client.connect(server.jdbcUrl()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("the audit log cannot be written");
            assertThat(texts(audit)).hasSize(1 + allowed);
            Files.delete(filler);
            run(connection, "insert into t values (2)");
            try (Statement statement = connection.createStatement();
                    var rows = statement.executeQuery("select a from t")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(2);
                assertThat(rows.next()).isFalse();
            }
            assertThat(texts(audit))
                    .hasSize(3 + allowed)
                    .endsWith("insert into t values (2)", "select a from t")
                    .doesNotContain("insert into t values (1)");
        }
    }

    private static void assertRefused(SQLException error) {
        assertThat(error.getErrorCode()).isEqualTo(AUDIT_LOG_FAILED);
        assertThat(error.getMessage()).contains("the audit log cannot be written", "No space left on device");
    }

    @Test
    void theStartIsRefusedWithoutAFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        ServerOptions options = new ServerOptions(
                0,
                0,
                folder.resolve("data"),
                Map.of("skep.audit.enabled", "true", "skep.audit.folder", file.toString()));
        assertThatThrownBy(() -> SkepServer.start(options).close())
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("skep.audit.folder");
    }

    /** A server is killed while clients work. Each statement that has begun has a line. */
    @Test
    void aKilledServerHasTheLinesOfAllThatHasRun() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Map<String, String> site = Map.of("skep.audit.enabled", "true", "skep.audit.statement-text", "redacted");
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        ServerProcess started = ServerProcess.start(data, site);
        try (ReleasedClient client = ReleasedClient.open();
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            for (int i = 0; i < WRITERS; i++) {
                String name = "client " + i;
                threads.execute(() -> runUntilKilled(client, started.url(), name, acknowledged));
            }
            ServerProcess.await(
                    () -> acknowledged.size() >= ENOUGH || !started.process().isAlive());
            started.process().destroyForcibly().waitFor();
        }
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);
        Path audit = data.resolve("audit");
        try (ServerProcess _ = ServerProcess.start(data, site)) {
            // The start has removed what a write may have left of a line.
            Set<String> lines = AuditLines.of(audit, "STATEMENT").stream()
                    .map((JsonNode line) -> line.get("text").textValue())
                    .collect(Collectors.toSet());
            assertThat(lines).containsAll(acknowledged);
        }
    }

    private static void runUntilKilled(ReleasedClient client, String url, String name, Set<String> acknowledged) {
        try (Connection connection = client.connect(url)) {
            for (int i = 0; i < Integer.MAX_VALUE; i++) {
                String sql = "select '" + name + " " + i + "'";
                run(connection, sql);
                acknowledged.add(sql);
            }
        } catch (SQLException e) {
            // The server is gone.
            assertThat(e.getMessage()).isNotNull();
        }
    }
}
