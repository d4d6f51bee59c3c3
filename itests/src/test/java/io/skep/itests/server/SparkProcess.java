package io.skep.itests.server;

import io.skep.itests.client.ReleasedJars;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A Spark in a process of its own. It runs one statement at a time. */
public final class SparkProcess implements AutoCloseable {
    private final Process process;
    private final Writer statements;
    private final BufferedReader answers;
    private final Path log;

    private SparkProcess(Process process, Path log) {
        this.process = process;
        this.statements = process.outputWriter();
        this.answers = process.inputReader();
        this.log = log;
    }

    /**
     * Starts Spark with its Hive catalog and waits until it is ready.
     *
     * @param python a Python with pyspark
     * @param uri the metastore service
     * @param arguments of Spark's side: the warehouse, and the jars of another client of the metastore than Spark's own
     */
    static SparkProcess start(String python, String uri, Path log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                python,
                ReleasedJars.home()
                        .resolve("itests/src/test/python/spark_catalog.py")
                        .toString(),
                uri));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(log.resolveSibling(".").toFile())
                .redirectError(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return ready(builder, log);
    }

    private static SparkProcess ready(ProcessBuilder builder, Path log) throws IOException {
        SparkProcess spark = new SparkProcess(builder.start(), log);
        spark.line("ready");
        return spark;
    }

    /**
     * Starts Spark with skep-spark.jar and a JDBC driver of Hive, and waits until it is ready.
     *
     * @param java one of those that Spark runs on
     * @param settings of Spark
     */
    public static SparkProcess start(Path java, Path log, Map<String, String> settings) throws IOException {
        Path home = ReleasedJars.home();
        List<Path> classes = List.of(
                home.resolve("itests/spark/target/classes"),
                home.resolve("dist/clients/skep-spark.jar"),
                Path.of(System.getProperty(
                                "skep.spark.lib", home.resolve("dist/spark-lib").toString()))
                        .resolve("*"),
                home.resolve("dist/jdbc-drivers/hive-jdbc-4.0.1-standalone.jar"));
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx1g"));
        command.addAll(SkepCommand.SHORT_LIVED);
        command.addAll(List.of(
                "@" + home.resolve("itests/spark/jvm.flags"),
                "-cp",
                classes.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                "io.skep.itests.spark.SparkMain"));
        settings.forEach((name, value) -> command.add(name + "=" + value));
        return ready(
                new ProcessBuilder(command)
                        .directory(log.resolveSibling(".").toFile())
                        .redirectError(log.toFile()),
                log);
    }

    /** Runs a statement and returns its rows, with tabs between the values. */
    public List<String> run(String statement) throws IOException {
        List<String> rows = new ArrayList<>();
        Optional<String> error = answer(statement, rows);
        if (error.isPresent()) {
            throw new AssertionError(statement + ": " + error.get());
        }
        return rows;
    }

    /** Runs a statement that fails, and returns its error. */
    public String error(String statement) throws IOException {
        List<String> rows = new ArrayList<>();
        return answer(statement, rows).orElseThrow(() -> new AssertionError(statement + " returned " + rows));
    }

    private Optional<String> answer(String statement, List<String> rows) throws IOException {
        statements.write(statement + "\n");
        statements.flush();
        for (String line = line(statement); !line.equals("."); line = line(statement)) {
            if (line.startsWith("! ")) {
                return Optional.of(line);
            }
            rows.add(line);
        }
        return Optional.empty();
    }

    private String line(String waited) throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("Spark has ended at: " + waited + "\n" + Files.readString(log));
        }
        return line;
    }

    /** Lets Spark end, and kills it if it does not. */
    @Override
    public void close() {
        try {
            statements.close();
        } catch (IOException e) {
            process.destroy();
        }
        ServerProcess.awaitEnd(process);
    }
}
