package io.skep.itests.yarn;

import io.skep.itests.client.ReleasedJars;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** YARN and an HDFS for it in a process of their own (itests/hadoop-cluster). They end with this object, or with this JVM. */
final class YarnProcess implements AutoCloseable {
    private static final long END_SECONDS = 60;

    private final Process process;
    private final Path folder;

    private YarnProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** @param folder for everything that the servers and their containers write */
    static YarnProcess start(Path folder, int nodeManagers) throws IOException {
        Path home = ReleasedJars.home();
        Path jars = home.resolve("dist/hadoop-cluster-lib");
        if (!Files.isDirectory(jars)) {
            throw new IOException(jars + " is missing; build itests/hadoop-cluster first");
        }
        Path log = folder.resolve("cluster.log");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + home.resolve("bin/jvm.flags"),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlog4j.configuration=file:" + home.resolve("conf/log4j.properties"),
                        "-cp",
                        home.resolve("itests/hadoop-cluster/target/classes") + File.pathSeparator + jars + "/*",
                        "io.skep.itests.cluster.HadoopYarn",
                        folder.toString(),
                        Integer.toString(nodeManagers)))
                .directory(folder.toFile())
                .redirectError(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        String line = answers.readLine();
        if (!"ready".equals(line)) {
            process.destroyForcibly();
            throw new IOException("the cluster did not start, its log: " + Files.readString(log));
        }
        return new YarnProcess(process, folder);
    }

    /** The folder of its clients' settings. */
    Path conf() {
        return folder.resolve("conf");
    }

    @Override
    public void close() {
        try {
            process.outputWriter().close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
