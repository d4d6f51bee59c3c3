package io.skep.itests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients on a host whose cable is pulled. Their connections are half open, and no packet tells the server. One client
 * has an idle session, the other a running statement. The keep-alive of SocketConnection detects both after two
 * minutes.
 */
@Timeout(600)
final class TestVanishedClients {
    private static final String CLIENTS = "clients";
    private static final String ENDLESS = "SELECT count(*) FROM numbers a JOIN numbers b ON a.g = b.g JOIN numbers c"
            + " ON b.g = c.g WHERE a.pos + b.pos + c.pos > 0";

    /** Longer than the server takes to answer a poll for a statement's state. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(8);

    /** An upper bound for the detection, which takes two minutes. */
    private static final Duration LIMIT = Duration.ofSeconds(150);

    @Test
    @EnabledIfSystemProperty(named = "skep.faults", matches = "all")
    void theirSessionsAndStatementsEnd(@TempDir Path folder) throws Exception {
        List<Process> clients = new ArrayList<>();
        try (NetworkLab network = NetworkLab.open(CLIENTS);
                ServerProcess server = ServerProcess.start(
                        Files.createDirectories(folder.resolve("data")),
                        Map.of(
                                "hive.server2.thrift.bind.host",
                                network.address(NetworkLab.HERE),
                                "skep.server.insecure-listen",
                                "true"));
                ReleasedClient here = ReleasedClient.open()) {
            try {
                load(here, server.url());
                clients.add(start(network, server.url()));
                clients.add(start(network, server.url(), ENDLESS));
                ServerProcess.await(() -> page(server, "queries").contains("RUNNING"));
                assertThat(page(server, "sessions")).contains("\"user\"");
                // The clients' requests are answered, and the answers have arrived. The kernel has nothing to
                // retransmit.
                for (Process client : clients) {
                    ServerProcess.signal(client.toHandle(), "STOP");
                }
                LockSupport.parkNanos(QUIET_NANOS);
                network.cut(NetworkLab.HERE, CLIENTS);
                long cut = System.nanoTime();
                assertThat(ask(here, server.url())).isEqualTo(1000);
                ServerProcess.await(() -> page(server, "sessions").equals("[]"));
                ServerProcess.await(() -> !page(server, "queries").contains("RUNNING"));
                Duration took = Duration.ofNanos(System.nanoTime() - cut);
                System.out.println("vanished clients were noticed after " + took.toSeconds() + " s");
                assertThat(took).isLessThan(LIMIT);
                assertThat(ask(here, server.url())).isEqualTo(1000);
            } finally {
                for (Process client : clients) {
                    client.destroyForcibly().waitFor();
                }
            }
        }
    }

    private static void load(ReleasedClient client, String url) throws Exception {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers (pos INT, g INT) STORED AS ORC");
            statement.execute("INSERT INTO numbers SELECT pos, 0 FROM (SELECT posexplode(split(space(99999), ' '))) t");
        }
    }

    private static long ask(ReleasedClient client, String url) throws Exception {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM numbers WHERE pos < 1000")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static Process start(NetworkLab network, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dskep.home=" + System.getProperty("skep.home"),
                "-cp",
                System.getProperty("java.class.path"),
                VanishingClient.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(network.inside(CLIENTS, command.toArray(String[]::new)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader lines = process.inputReader();
        for (String line = lines.readLine(); !VanishingClient.THERE.equals(line); line = lines.readLine()) {
            if (line == null) {
                throw new IOException("a client could not connect");
            }
        }
        return process;
    }

    private static String page(ServerProcess server, String name) {
        try (InputStream in =
                URI.create(server.uiUrl()).resolve("/api/" + name).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
