package io.skep.itests.yarn;

import io.skep.itests.hdfs.HadoopProgram;
import io.skep.llap.client.yarn.YarnCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** YARN and an HDFS for it in a process of their own (itests/hadoop-cluster). They end with this object, or with this JVM. */
public final class YarnProcess implements AutoCloseable {
    private final HadoopProgram program;
    private final Path folder;

    private YarnProcess(HadoopProgram program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /** @param folder for everything that the servers and their containers write */
    public static YarnProcess start(Path folder, int nodeManagers) throws IOException {
        return start(folder, nodeManagers, Map.of());
    }

    /** @param settings of all servers */
    public static YarnProcess start(Path folder, int nodeManagers, Map<String, String> settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(folder.toString(), Integer.toString(nodeManagers)));
        settings.forEach((name, value) -> arguments.add(name + "=" + value));
        return new YarnProcess(HadoopProgram.start("HadoopYarn", 512, folder, arguments), folder);
    }

    /** One more node manager, in a process of its own, without the services of the others; it says what the scheduler calls it. */
    public HadoopProgram startNodeManager(String name) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        return HadoopProgram.start("HadoopNodeManager", 256, own, List.of(own.toString(), conf().toString()));
    }

    /** Of everything that the servers and their containers write. */
    public Path folder() {
        return folder;
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
        // Few are there: to read the command line of each process of the machine again and again takes a core.
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
            program.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
