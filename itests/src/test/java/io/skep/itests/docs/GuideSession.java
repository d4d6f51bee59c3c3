package io.skep.itests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.itests.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs the steps of the guide: shell commands as processes of their own, statements in one Beeline. Closing it ends the
 * processes.
 */
final class GuideSession implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String IN_BACKGROUND = " &";
    private static final String PROMPTS = "\\d+: jdbc:hive2:[^>]*> |(?:\\. )+\\.*> ";

    private final GuideHome home;
    private final Path logs;
    private final List<Process> background = new ArrayList<>();
    private Optional<Beeline> beeline = Optional.empty();
    private int outputs;

    /** @param logs an empty folder for the output of commands */
    GuideSession(GuideHome home, Path logs) {
        this.home = home;
        this.logs = logs;
    }

    /** The one Beeline in which statements run. */
    private record Beeline(Process process, Writer in, BufferedReader out) {}

    /** Runs a step and compares its output. */
    void run(GuidePage.Step step, String page) throws Exception {
        switch (step) {
            case GuidePage.WrittenFile file -> home.write(file.name(), file.content());
            case GuidePage.Shell shell -> shell(shell, page);
            case GuidePage.Sql sql -> compare(sql.output(), statement(sql.statement()), page + ":" + sql.line());
        }
    }

    private void shell(GuidePage.Shell shell, String page) throws Exception {
        String where = page + ":" + shell.line();
        if (!shell.command().endsWith(IN_BACKGROUND)) {
            compare(shell.output(), wholeOutput(home.actual(shell.command())), where);
            return;
        }
        String command = shell.command().substring(0, shell.command().length() - IN_BACKGROUND.length());
        Path output = logs.resolve("output-" + outputs++);
        Process process = home.command("exec " + home.actual(command))
                .redirectOutput(output.toFile())
                .start();
        background.add(process);
        var _ = Polling.comesTrue(
                PATIENCE,
                () -> !process.isAlive()
                        || GuideOutput.matches(shell.output(), home.asInGuide(Files.readString(output))));
        compare(shell.output(), home.asInGuide(Files.readString(output)), where);
    }

    private String wholeOutput(String command) throws Exception {
        Path output = logs.resolve("output-" + outputs++);
        Process process = home.command(command).redirectOutput(output.toFile()).start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as(command + " ends in time")
                    .isTrue();
            return home.asInGuide(Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Beeline answers an unknown command in one line, which marks the end of the statement's output. */
    private String statement(String text) throws IOException {
        Beeline client = beeline();
        String marker = "guide-" + outputs++;
        client.in().write(home.actual(text) + "\n!" + marker + "\n");
        client.in().flush();
        StringBuilder output = new StringBuilder();
        while (true) {
            String line = client.out().readLine();
            if (line == null) {
                throw new IOException("Beeline has ended: " + output);
            }
            String answer = line.replaceAll(PROMPTS, "");
            if (answer.equals("Unknown command: " + marker)) {
                return home.asInGuide(output.toString());
            }
            output.append(answer).append('\n');
        }
    }

    private Beeline beeline() throws IOException {
        if (beeline.isEmpty()) {
            Process process =
                    home.command("exec bin/skep beeline --silent=true").start();
            beeline = Optional.of(new Beeline(
                    process,
                    process.outputWriter(StandardCharsets.UTF_8),
                    process.inputReader(StandardCharsets.UTF_8)));
        }
        return beeline.get();
    }

    private static void compare(List<String> expected, String actual, String where) {
        assertThat(GuideOutput.matches(expected, actual))
                .as(where + " gives\n" + actual + "instead of\n" + String.join("\n", expected))
                .isTrue();
    }

    @Override
    public void close() throws IOException {
        if (beeline.isPresent()) {
            beeline.get().in().close();
            ServerProcess.awaitEnd(beeline.get().process());
        }
        background.forEach(Process::destroy);
        background.forEach(ServerProcess::awaitEnd);
    }
}
