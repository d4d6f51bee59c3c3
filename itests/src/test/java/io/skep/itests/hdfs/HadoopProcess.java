package io.skep.itests.hdfs;

import io.skep.itests.client.ReleasedJars;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Hadoop's servers in a process of their own (itests/hadoop-cluster), with a class path of their own. It ends with this object,
 * or with this JVM.
 */
public final class HadoopProcess implements AutoCloseable {
    private static final long END_SECONDS = 60;

    private final Path folder;
    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;
    private final String uri;

    private HadoopProcess(Path folder, Process process) throws IOException {
        this.folder = folder;
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        String[] ready = answer().split(" ", -1);
        if (!ready[0].equals("ready")) {
            throw new IOException("the cluster did not start: " + String.join(" ", ready));
        }
        this.uri = ready[1];
    }

    /** @param settings of the NameNode and the DataNodes */
    public static HadoopProcess start(int dataNodes, Map<String, String> settings) throws IOException {
        Path home = ReleasedJars.home();
        Path jars = home.resolve("dist/hadoop-cluster-lib");
        if (!Files.isDirectory(jars)) {
            throw new IOException(jars + " is missing; build itests/hadoop-cluster first");
        }
        Path folder = Files.createTempDirectory("skep-hadoop");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + home.resolve("bin/jvm.flags"),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j.configuration=file:" + home.resolve("conf/log4j.properties"),
                "-cp",
                home.resolve("itests/hadoop-cluster/target/classes") + File.pathSeparator + jars + "/*",
                "io.skep.itests.cluster.HadoopCluster",
                folder.resolve("dfs").toString(),
                Integer.toString(dataNodes)));
        settings.forEach((name, value) -> command.add(name + "=" + value));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("cluster.log").toFile())
                .start();
        try {
            return new HadoopProcess(folder, process);
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Of the file system, {@code hdfs://host:port}. */
    public String uri() {
        return uri;
    }

    /** Carries out a command of HadoopCluster; gives what it answers. */
    String command(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        String answer = answer();
        if (!answer.startsWith("done")) {
            throw new IOException(command + ": " + answer);
        }
        return answer.substring("done".length()).strip();
    }

    /** Sends the NameNode and the DataNodes a signal, such as STOP. */
    void signal(String name) throws IOException, InterruptedException {
        DataNodeProcess.signal(process, name);
    }

    /** How often the NameNode was called by a name of its protocol, as in {@code GetListing}. */
    long calls(String name) throws IOException {
        return Long.parseLong(command("calls " + name));
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the cluster has ended, its log: " + Files.readString(folder.resolve("cluster.log")));
        }
        return line;
    }

    /** A client of its own, to look at files past the server. */
    public FileSystem client() throws IOException {
        Configuration configuration = new Configuration();
        configuration.setBoolean("fs.hdfs.impl.disable.cache", true);
        return new org.apache.hadoop.fs.Path(uri).getFileSystem(configuration);
    }

    @Override
    public void close() {
        try {
            commands.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
