package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failed start reports the reason and releases everything, so that the next start succeeds. */
final class TestServerStart {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private ServerOptions options(int port, int uiPort, Map<String, String> site) {
        return new ServerOptions(port, uiPort, folder.resolve("data"), site);
    }

    private static void fails(ServerOptions options, StandardErrorCode code, String text) {
        assertThatThrownBy(() -> SkepServer.start(options)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.fullMessage()).contains(text);
            assertThat(e.getSuppressed()).as("failures of the clean-up").isEmpty();
        });
    }

    /** Returns the threads of a server, without those of the JVM and of the test. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.matches("(thrift-accept|timers|executor.*|llap.*|io-.*|qtp.*|skep.*|training)"))
                .collect(Collectors.toSet());
    }

    @Test
    void failedStartsFreeAllThatTheyTook() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            fails(options(port, 0, Map.of()), StandardErrorCode.INVALID_CONFIGURATION, "127.0.0.1:" + port);
            fails(options(0, port, Map.of()), StandardErrorCode.INVALID_CONFIGURATION, Integer.toString(port));
        }
        fails(
                options(0, 0, Map.of("hive.server2.thrift.bind.host", "no.such.host.invalid")),
                StandardErrorCode.INVALID_CONFIGURATION,
                "no.such.host.invalid");
        fails(
                options(0, 0, Map.of("skep.sheduler", "direct")),
                StandardErrorCode.INVALID_CONFIGURATION,
                "did you mean skep.scheduler");
        fails(
                options(0, 0, Map.of("hive.execution.mode", "container", "tez.local.mode", "true")),
                StandardErrorCode.INVALID_CONFIGURATION,
                "the site's tasks are to run in containers, but tez.local.mode is true");
        Polling.await("servers that did not start leave no threads")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(threads()).isEmpty());
        try (SkepServer server = SkepServer.start(options(0, 0, Map.of()))) {
            assertThat(threads())
                    .as("the pattern knows the threads of a server")
                    .contains("thrift-accept", "timers");
            fails(options(0, 0, Map.of()), StandardErrorCode.DATA_DIRECTORY_IN_USE, "in use");
            assertThat(server.port()).isPositive();
        }
    }

    @Test
    void asksItselfQueriesThatLeaveNothing() throws Exception {
        try (SkepServer server = SkepServer.start(options(0, 0, Map.of("skep.server.warmup-queries", "16")))) {
            assertThat(server.awaitTraining()).isEqualTo(16);
            assertThat(server.catalog().tables("default")).isEmpty();
            assertThat(server.history().ended()).isEmpty();
            assertThat(server.sessions().all()).isEmpty();
            Polling.await("its queries leave nothing")
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(server.snapshot().leftovers()).isEmpty());
        }
    }

    @Test
    void stopsWhileItTrains() throws Exception {
        SkepServer server = SkepServer.start(options(0, 0, Map.of("skep.server.warmup-queries", "1000000")));
        server.close();
        assertThat(server.awaitTraining()).isLessThan(1_000_000);
        assertThat(threads()).doesNotContain("training");
    }

    @Test
    void settingsOnThePageAreThoseInForce() throws Exception {
        Map<String, String> site =
                Map.of("hive.llap.daemon.num.executors", "3", "javax.jdo.option.ConnectionPassword", "mine");
        try (SkepServer server = SkepServer.start(options(0, 0, site));
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.uiUrl() + "api/settings"))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body())
                    .contains("\"name\":\"hive.llap.daemon.num.executors\",\"value\":\"3\",\"source\":\"site file\"")
                    .contains("\"name\":\"skep.scheduler\",\"value\":\"auto\",\"source\":\"default\"")
                    .contains("\"name\":\"javax.jdo.option.ConnectionPassword\",\"value\":\"(hidden)\"")
                    .doesNotContain("\"mine\"");
            assertThat(server.daemonConfig().executors()).isEqualTo(3);
        }
    }

    @Test
    void dataFoldersThatCannotBeUsed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        assertThatThrownBy(() -> SkepServer.start(new ServerOptions(0, 0, file, Map.of())))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("file");
        assertThatThrownBy(() -> SkepServer.start(new ServerOptions(0, 0, file.resolve("below"), Map.of())))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("file");
    }
}
