package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests interrupts of the released Beeline by the user: Ctrl-C typed into its terminal, and a signal while it runs a
 * script.
 */
@ExtendWith(SharedServer.class)
@Timeout(180)
final class TestBeelineTerminal {
    private static final String CONTROL_C = "\u0003";
    private static final String ROWS = "(SELECT posexplode(split(space(9999), ' ')) AS (n, v))";

    /** A query that takes some hours. */
    private static final String LONG = "SELECT count(*) FROM " + ROWS + " a CROSS JOIN " + ROWS + " b CROSS JOIN "
            + ROWS + " c WHERE a.n + b.n + c.n < 0;";

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    /**
     * Once this release's line editor has read a line, it has removed Beeline's signal handler. Ctrl-C therefore
     * terminates Beeline.
     */
    @Test
    void aTypedInterruptEndsBeelineAndItsQuery(TestServer server) throws Exception {
        String beeline = ReleasedBeeline.command(server.jdbcUrl(), "-n", "ann").stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Process terminal =
                start(List.of("script", "-qefc", "stty cols 200 rows 50; TERM=xterm exec " + beeline, "/dev/null"));
        try {
            type(terminal, LONG + "\n");
            server.awaitRunning("CROSS JOIN");
            server.awaitThat("a progress bar", () -> shown().contains("TASKS: ") && shown().contains("STAGES"));
            type(terminal, CONTROL_C);
            awaitEnd(server);
            assertThat(terminal.waitFor()).isNotZero();
        } catch (AssertionError e) {
            throw new AssertionError("the terminal showed\n" + shown(), e);
        } finally {
            end(terminal);
        }
    }

    @Test
    void anInterruptedScriptCancelsItsQuery(TestServer server) throws Exception {
        Process script = start(ReleasedBeeline.command(server.jdbcUrl(), "-n", "ann", "-e", LONG));
        try {
            server.awaitRunning("CROSS JOIN");
            awaitPolled(server);
            new ProcessBuilder("kill", "-INT", Long.toString(script.pid()))
                    .start()
                    .waitFor();
            awaitEnd(server);
            assertThat(script.waitFor()).isNotZero();
        } catch (AssertionError e) {
            throw new AssertionError("Beeline printed\n" + shown(), e);
        } finally {
            end(script);
        }
    }

    /**
     * Starts a process with the default action for SIGINT, whatever signal dispositions it would inherit from its
     * ancestors.
     */
    private Process start(List<String> command) throws IOException {
        List<String> interruptible = new ArrayList<>(List.of("env", "--default-signal=INT"));
        interruptible.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(interruptible).redirectErrorStream(true);
        builder.environment().put("TERM", "dumb");
        Process process = builder.start();
        Thread.ofVirtual().start(() -> {
            try (InputStream from = process.getInputStream()) {
                from.transferTo(output);
            } catch (IOException closed) {
                // The test's message contains the output up to this point.
            }
        });
        return process;
    }

    private String shown() {
        return output.toString(StandardCharsets.UTF_8);
    }

    /**
     * Waits until Beeline has the query's handle and polls for its state. Before that, Beeline has nothing to cancel.
     */
    private static void awaitPolled(TestServer server) {
        Instant running = Instant.now();
        server.awaitThat(
                "Beeline asks about its query",
                () -> server.server().sessions().all().stream()
                        .anyMatch(session -> session.lastUsed().isAfter(running)));
    }

    private static void awaitEnd(TestServer server) {
        server.awaitThat(
                "the query has ended", () -> server.server().history().running().isEmpty());
        server.awaitThat(
                "the session has ended", () -> server.server().sessions().all().isEmpty());
    }

    private static void type(Process terminal, String keys) throws IOException {
        OutputStream in = terminal.getOutputStream();
        in.write(keys.getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
