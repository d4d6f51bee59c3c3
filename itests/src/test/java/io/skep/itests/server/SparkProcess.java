package io.skep.itests.server;

import io.skep.itests.client.ReleasedJars;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Spark in a process of its own, with its Hive catalog. It runs one statement at a time. */
final class SparkProcess implements AutoCloseable {
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
     * Starts Spark and waits until it is ready.
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
        SparkProcess spark = new SparkProcess(builder.start(), log);
        spark.line("ready");
        return spark;
    }

    /** Runs a statement and returns its rows, with tabs between the values. */
    List<String> run(String statement) throws IOException {
        statements.write(statement + "\n");
        statements.flush();
        List<String> rows = new ArrayList<>();
        for (String line = line(statement); !line.equals("."); line = line(statement)) {
            if (line.startsWith("! ")) {
                throw new AssertionError(statement + ": " + line);
            }
            rows.add(line);
        }
        return rows;
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
