package io.skep.itests.hdfs;

import io.skep.itests.client.ReleasedJars;
import io.skep.itests.server.ServerProcess;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of itests/hadoop-cluster in its own process with its own class path. It prints {@code ready} and then
 * answers commands. It ends when this object is closed or this JVM exits.
 */
public final class HadoopProgram implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final Path log;
    private final String ready;

    private HadoopProgram(Process process, Path log) throws IOException {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.log = log;
        String line = answer();
        if (!line.startsWith("ready")) {
            throw new IOException("it did not start: " + line);
        }
        this.ready = line.substring("ready".length()).strip();
    }

    /**
     * Starts a program and waits until it is ready.
     *
     * @param name the name of its class
     * @param folder an existing folder, which receives its log
     */
    public static HadoopProgram start(String name, int heapMegabytes, Path folder, List<String> arguments)
            throws IOException {
        return start(name, heapMegabytes, folder, List.of(), arguments);
    }

    /** @param flags further flags of its JVM */
    public static HadoopProgram start(
            String name, int heapMegabytes, Path folder, List<String> flags, List<String> arguments)
            throws IOException {
        Path home = ReleasedJars.home();
        Path jars = home.resolve("dist/hadoop-cluster-lib");
        if (!Files.isDirectory(jars)) {
            throw new IOException(jars + " is missing; build itests/hadoop-cluster first");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + home.resolve("bin/jvm.flags"),
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(flags);
        command.addAll(List.of(
                "-Dlog4j.configuration=file:" + home.resolve("conf/log4j.properties"),
                "-cp",
                home.resolve("itests/hadoop-cluster/target/classes") + File.pathSeparator + jars + "/*",
                "io.skep.itests.cluster." + name));
        command.addAll(arguments);
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            return new HadoopProgram(process, log);
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Returns the text that the program printed after {@code ready}. */
    public String ready() {
        return ready;
    }

    /** Makes the program run a command and returns its answer. */
    String command(String command) throws IOException {
        Writer commands = process.outputWriter(StandardCharsets.UTF_8);
        commands.write(command + "\n");
        commands.flush();
        String answer = answer();
        if (!answer.startsWith("done")) {
            throw new IOException(command + ": " + answer);
        }
        return answer.substring("done".length()).strip();
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("it has ended, its log: " + Files.readString(log));
        }
        return line;
    }

    /** Sends the program a signal, such as STOP. */
    void signal(String name) throws IOException, InterruptedException {
        ServerProcess.signal(process.toHandle(), name);
    }

    /** Kills the program as if its machine had failed. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        ServerProcess.awaitEnd(process);
    }
}
