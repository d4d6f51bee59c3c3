package io.skep.itests.yarn;

import io.skep.itests.client.ReleasedJars;
import io.skep.llap.client.yarn.YarnCluster;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** YARN and an HDFS for it in a process of their own (itests/hadoop-cluster). They end with this object, or with this JVM. */
public final class YarnProcess implements AutoCloseable {
    private static final long END_SECONDS = 60;

    private final Process process;
    private final Path folder;

    private YarnProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** @param folder for everything that the servers and their containers write */
    public static YarnProcess start(Path folder, int nodeManagers) throws IOException {
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

    /** Those of its clients. */
    public Map<String, String> settings() {
        Configuration site = new Configuration(false);
        site.addResource(
                new org.apache.hadoop.fs.Path(conf().resolve("core-site.xml").toUri()));
        Map<String, String> settings = new TreeMap<>();
        site.forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
        return settings;
    }

    /** Processes in its containers that run a class. */
    public List<ProcessHandle> processes(String main) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(main) && !line.contains("bash"))
                        .isPresent())
                .filter(process -> workingFolder(process).startsWith(folder.toString()))
                .toList();
    }

    private static String workingFolder(ProcessHandle process) {
        try {
            return Path.of("/proc/" + process.pid() + "/cwd").toRealPath().toString();
        } catch (IOException gone) {
            return "";
        }
    }

    /** Applications that are being started or run, by type and name. */
    public List<String> runningApplications() {
        Configuration site = new Configuration();
        settings().forEach(site::set);
        try (YarnCluster cluster = YarnCluster.connect(site, "a test")) {
            return cluster.running();
        }
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
