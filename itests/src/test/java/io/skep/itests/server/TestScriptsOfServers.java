package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedBeeline;
import io.skep.itests.client.ReleasedClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs scripts in a daemon that receives their files from the server, and refuses them where they are not allowed. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestScriptsOfServers {
    private Optional<StartedDaemon> daemon = Optional.empty();
    private Optional<ServerProcess> server = Optional.empty();
    private Path folder = Path.of("unknown");

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        folder = given;
        daemon = Optional.of(StartedDaemon.start(folder.resolve("daemon"), Map.of()));
        server = Optional.of(ServerProcess.start(
                Files.createDirectories(folder.resolve("data")),
                Map.of("skep.llap.daemons", daemon.get().endpoint(), "skep.script.enabled", "true")));
    }

    @AfterAll
    void stop() throws InterruptedException {
        for (Process process :
                List.of(server.orElseThrow().process(), daemon.orElseThrow().process())) {
            process.destroy();
            assertThat(process.waitFor()).isIn(0, 143);
        }
    }

    @Test
    void beelineRunsPythonInADaemon() throws Exception {
        Path script = Files.writeString(folder.resolve("shout.py"), """
                import os, sys
                for line in sys.stdin:
                    key, word = line.rstrip("\\n").split("\\t")
                    print(int(key) + 1, word.upper() if word != "\\\\N" else word, os.getppid(), sep="\\t")
                """);
        ReleasedBeeline.Result result = ReleasedBeeline.run(
                server.orElseThrow().url(), """
                create table words (k int, w string) stored as orc;
                insert into words values (1, 'one'), (2, null);
                add file %s;
                list files;
                select transform(k, w) using 'python3 shout.py' as (k int, w string, p bigint) from words order by k;
                select transform(k) using 'sh -c "cat >/dev/null; echo broken >&2; exit 7"' as (x) from words;
                drop table words;
                """.formatted(script), "--outputformat=csv2", "--force=true");
        long process = daemon.orElseThrow().process().pid();
        assertThat(result.output())
                .contains(script.toString(), "2,ONE," + process, "3,NULL," + process)
                .contains("[Error 20003]", "status 7", "broken", "state=08S01,code=20003");
    }

    @Test
    void aCancelledScriptIsKilled() throws Exception {
        String mark = "86399.25";
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.orElseThrow().url());
                Statement statement = connection.createStatement()) {
            CompletableFuture<SQLException> failure = CompletableFuture.supplyAsync(() -> {
                try {
                    statement.execute("select transform(1) using 'sh -c \"sleep " + mark + " & sleep " + mark
                            + "; cat\"' as (x) from (select 1) t");
                    throw new IllegalStateException("the script does not end by itself");
                } catch (SQLException e) {
                    return e;
                }
            });
            Polling.await("the script runs").until(() -> running(mark) >= 2);
            statement.cancel();
            assertThat(failure.join().getMessage()).contains("cancel");
            Polling.await("the script is gone").until(() -> running(mark) == 0);
        }
    }

    private static long running(String argument) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> process.info().commandLine().orElse("").endsWith("sleep " + argument))
                    .count();
        }
    }

    @Test
    void aSessionCannotAllowScripts() throws Exception {
        try (TestServer closed = TestServer.start(Map.of());
                ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(closed.jdbcUrl());
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("select transform(1) using 'cat' as (x) from (select 1) t"))
                    .isInstanceOfSatisfying(SQLException.class, e -> {
                        assertThat(e.getSQLState()).isEqualTo("42501");
                        assertThat(e.getMessage()).contains("skep.script.enabled=true");
                    });
            assertThatThrownBy(() -> statement.execute("set skep.script.enabled=true"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void authorizationRefusesThem(@TempDir Path data) throws Exception {
        try (AuthorizedServer site =
                        AuthorizedServer.start(data, List.of("root"), "x", Map.of("skep.script.enabled", "true"));
                Connection root = site.connect("root")) {
            AuthorizedServer.run(root, "set role admin");
            assertThatThrownBy(() ->
                            AuthorizedServer.run(root, "select transform(1) using 'cat' as (x) from (select 1) t"))
                    .hasMessageContaining("Query with transform clause is disallowed in current configuration.");
        }
    }
}
