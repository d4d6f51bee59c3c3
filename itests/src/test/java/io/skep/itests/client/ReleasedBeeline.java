package io.skep.itests.client;

import io.skep.itests.server.SkepCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the released Beeline as a process without a terminal: commands go in, text comes out. */
public final class ReleasedBeeline {
    private static final long LIMIT_SECONDS = 120;

    private ReleasedBeeline() {}

    /** The text that Beeline printed, standard output and error together, and its exit code. */
    public record Result(int exitCode, String output) {}

    /**
     * Runs commands, one per line, as if a user typed them.
     *
     * @param options additional options of Beeline, such as {@code --outputformat=csv2}
     */
    public static Result run(String url, String commands, String... options) throws IOException, InterruptedException {
        return run(Map.of(), url, commands, options);
    }

    /** Does the same with variables of the environment. */
    public static Result run(Map<String, String> environment, String url, String commands, String... options)
            throws IOException, InterruptedException {
        return run(environment, command(url, options), commands + "\n!quit\n");
    }

    /** Runs a class of this code in a process of a released client, which has nothing else of it. */
    static Result run(Map<String, String> environment, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        Path classes = Path.of(URI.create(
                main.getProtectionDomain().getCodeSource().getLocation().toString()));
        List<String> command = java(List.of(classes));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return run(environment, command, "");
    }

    private static Result run(Map<String, String> environment, List<String> command, String commands)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TERM", "dumb");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
            try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
                input.write(commands);
            }
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the client did not end within " + LIMIT_SECONDS + " seconds");
            }
            return new Result(process.exitValue(), output.join());
        } finally {
            process.destroyForcibly();
        }
    }

    static List<String> command(String url, String... options) throws IOException {
        List<String> command = java(List.of());
        command.add("org.apache.hive.beeline.BeeLine");
        command.add("-u");
        command.add(url);
        command.addAll(List.of(options));
        return command;
    }

    private static List<String> java(List<Path> more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.add("@" + ReleasedJars.home().resolve("bin/jvm.flags"));
        command.addAll(SkepCommand.SHORT_LIVED);
        command.add("-Xmx512m");
        command.add("-cp");
        command.add(Stream.concat(more.stream(), ReleasedJars.list().stream())
                .map(Path::toString)
                .collect(Collectors.joining(":")));
        return command;
    }

    private static String read(Process process) {
        try (var stream = process.getInputStream()) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
