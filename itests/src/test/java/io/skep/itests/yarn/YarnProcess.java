package io.skep.itests.yarn;

import io.skep.itests.hdfs.HadoopProgram;
import io.skep.llap.client.yarn.YarnCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * YARN and its HDFS in their own process (itests/hadoop-cluster). They end when this object is closed or this JVM
 * exits.
 */
public final class YarnProcess implements AutoCloseable {
    private final HadoopProgram program;
    private final Path folder;

    private YarnProcess(HadoopProgram program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /** @param folder the folder for all files that the servers and their containers write */
    public static YarnProcess start(Path folder, int nodeManagers) throws IOException {
        return start(folder, nodeManagers, Map.of());
    }

    /** @param settings the settings of all servers */
    public static YarnProcess start(Path folder, int nodeManagers, Map<String, String> settings) throws IOException {
        return start(folder, nodeManagers, settings, List.of());
    }

    /** @param flags further flags of the JVM of the servers */
    public static YarnProcess start(Path folder, int nodeManagers, Map<String, String> settings, List<String> flags)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(folder.toString(), Integer.toString(nodeManagers)));
        settings.forEach((name, value) -> arguments.add(name + "=" + value));
        // What fetches the files of a container reads no other settings than those in files of the class path.
        Path servers = Files.createDirectories(folder.resolve("servers"));
        writeSite(servers, settings);
        List<String> all = new ArrayList<>(flags);
        all.add("-Xbootclasspath/a:" + servers);
        return new YarnProcess(HadoopProgram.start("HadoopYarn", 512, folder, all, arguments), folder);
    }

    private static void writeSite(Path folder, Map<String, String> settings) throws IOException {
        Configuration site = new Configuration(false);
        settings.forEach(site::set);
        try (Writer writer = Files.newBufferedWriter(folder.resolve("core-site.xml"))) {
            site.writeXml(writer);
        }
    }

    /**
     * Starts an additional node manager in its own process, without the auxiliary services of the others. It reports
     * the name by which the scheduler knows it.
     */
    public HadoopProgram startNodeManager(String name) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        return HadoopProgram.start("HadoopNodeManager", 256, own, List.of(own.toString(), conf().toString()));
    }

    /** Returns the folder of all files that the servers and their containers write. */
    public Path folder() {
        return folder;
    }

    /** Returns the folder of its clients' settings. */
    public Path conf() {
        return folder.resolve("conf");
    }

    /** Returns the settings of its clients. */
    public Map<String, String> settings() {
        Configuration site = new Configuration(false);
        site.addResource(
                new org.apache.hadoop.fs.Path(conf().resolve("core-site.xml").toUri()));
        Map<String, String> settings = new TreeMap<>();
        site.forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
        return settings;
    }

    /** Returns the processes in its containers that run a class. */
    public List<ProcessHandle> processes(String main) {
        // The folder filter leaves few processes. Reading the command line of every process of the machine repeatedly
        // would occupy a core.
        return ProcessHandle.allProcesses()
                .filter(process -> workingFolder(process).startsWith(folder.toString()))
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(main) && !line.contains("bash"))
                        .isPresent())
                .toList();
    }

    private static String workingFolder(ProcessHandle process) {
        try {
            return Path.of("/proc/" + process.pid() + "/cwd").toRealPath().toString();
        } catch (IOException gone) {
            return "";
        }
    }

    /** Returns the applications that are starting or running, by type and name. */
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
            program.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
