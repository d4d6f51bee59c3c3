package io.skep.itests.distribution;

import io.skep.itests.client.ReleasedJars;
import io.skep.itests.server.SkepCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A distribution of what {@code dist/} holds, unpacked.
 *
 * @param tarball the packed form
 * @param home the unpacked folder
 */
record Distribution(Path tarball, Path home) {
    private static final long LIMIT_SECONDS = 180;

    /** What a command printed, and its exit status. */
    record Result(int status, String output, String errors) {}

    static Distribution make(Path folder) throws IOException, InterruptedException {
        Path skep = ReleasedJars.home().resolve("bin/skep");
        Result made = run(folder, List.of(skep.toString(), "package", "--as-is", "--output", folder.toString()));
        if (made.status != 0) {
            throw new IOException("no package: " + made.errors + "; dist/ is filled by mvn package");
        }
        Path tarball = Path.of(made.output.strip());
        Result unpacked = run(folder, List.of("tar", "-xzf", tarball.toString()));
        if (unpacked.status != 0) {
            throw new IOException(unpacked.errors);
        }
        String name = tarball.getFileName().toString();
        return new Distribution(tarball, folder.resolve(name.substring(0, name.length() - ".tar.gz".length())));
    }

    /** Runs {@code bin/skep} of the unpacked folder. */
    Result skep(String... arguments) throws IOException, InterruptedException {
        return run(home, command(arguments));
    }

    /** Starts {@code bin/skep} of the unpacked folder; its output is in {@code out} and {@code err} beside it. */
    Process start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments));
        prepare(builder);
        return builder.redirectOutput(home.resolveSibling("out").toFile())
                .redirectError(home.resolveSibling("err").toFile())
                .start();
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/skep").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Result run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder.toAbsolutePath().getParent(), "out", ".txt");
        Path err = Files.createTempFile(folder.toAbsolutePath().getParent(), "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        prepare(builder);
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command + " did not end: " + Files.readString(err));
            }
            return new Result(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static void prepare(ProcessBuilder builder) {
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // Making it takes longer than the test.
        builder.environment().put("SKEP_START_CACHE", "off");
        builder.environment().put("SKEP_JAVA_OPTS", "-Xmx1g " + String.join(" ", SkepCommand.SHORT_LIVED));
        builder.environment().put("TERM", "dumb");
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    }
}
