package io.skep.bench.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real Spark with {@code skep-spark.jar} in a process of its own. It runs one statement at a time. */
public final class SparkFork implements AutoCloseable {
    private final Process process;
    private final Writer statements;
    private final BufferedReader answers;
    private final Path log;

    private SparkFork(Process process, Path log) {
        this.process = process;
        this.statements = process.outputWriter();
        this.answers = process.inputReader();
        this.log = log;
    }

    /**
     * Starts Spark and waits until it is ready.
     *
     * @param java one of those that Spark runs on
     * @param checkout with the classes and libraries that {@code bin/bench external} builds and fetches
     * @param log the file for what Spark logs
     * @param settings of Spark, each {@code name=value}
     */
    public static SparkFork start(Path java, Path checkout, Path log, String heap, List<String> settings)
            throws IOException {
        String classes = Stream.of(
                        "itests/spark/target/classes",
                        "dist/clients/skep-spark.jar",
                        "dist/spark-lib/*",
                        "dist/jdbc-drivers/hive-jdbc-4.0.1-standalone.jar")
                .map(part -> checkout + "/" + part)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                java.toString(),
                "-Xmx" + heap,
                "@" + checkout.resolve("itests/spark/jvm.flags"),
                "-cp",
                classes,
                "io.skep.itests.spark.SparkMain"));
        command.addAll(settings);
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        SparkFork spark = new SparkFork(process, log);
        spark.line("its start");
        return spark;
    }

    /** Runs a statement of {@code SparkMain} and returns the lines of its answer. */
    public List<String> run(String statement) throws IOException {
        statements.write(statement + "\n");
        statements.flush();
        List<String> lines = new ArrayList<>();
        for (String line = line(statement); !line.equals("."); line = line(statement)) {
            if (line.startsWith("! ")) {
                throw new IOException("Spark refused " + statement + ": " + line);
            }
            lines.add(line);
        }
        return lines;
    }

    private String line(String waited) throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("Spark ended at: " + waited + "; see " + log);
        }
        return line;
    }

    /** Returns the processor time so far. */
    public double cpuMillis() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e6;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
