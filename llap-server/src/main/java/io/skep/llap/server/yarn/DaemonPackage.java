package io.skep.llap.server.yarn;

import io.skep.llap.client.yarn.PackagedFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/**
 * Everything that a container needs to run the master or a daemon.
 *
 * @param files files of the class path, in its order, and those of the folder {@code conf}
 * @param jvmFlags flags of every JVM of Skep
 * @param daemonMain class of the daemon's main method; its options are its container's data, conf and ports
 * @param environment environment of the process
 */
record DaemonPackage(
        List<PackagedFile> files, List<String> jvmFlags, String daemonMain, Map<String, String> environment) {
    /** Java itself reads this variable, so the command line stays short enough for tools to show it. */
    private static final String CLASS_PATH = "CLASSPATH";

    private static final String LOGGING = "-Dlog4j.configuration=file:" + PackagedFile.CONF + "/log4j.properties";

    DaemonPackage {
        files = List.copyOf(files);
        jvmFlags = List.copyOf(jvmFlags);
        environment = Map.copyOf(environment);
    }

    /** Returns the launch context of the master, which uses the application's folder. */
    ContainerLaunchContext master(long heapMegabytes, String folder) {
        return launch(
                List.of(
                        "-Xmx" + heapMegabytes + "m",
                        "-XX:CompressedClassSpaceSize=64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1"),
                MasterMain.class.getName(),
                List.of(folder));
    }

    /** Returns the launch context of a daemon, which announces its address in the application's folder. */
    ContainerLaunchContext daemon(ContainerMemory memory, int cores, String folder) {
        List<String> flags = new ArrayList<>(memory.flags());
        flags.add("-XX:ActiveProcessorCount=" + cores);
        return launch(
                flags,
                daemonMain,
                List.of(
                        "--port",
                        "0",
                        "--ui-port",
                        "0",
                        "--data",
                        "data",
                        "--conf",
                        PackagedFile.CONF,
                        "--announce",
                        folder));
    }

    private ContainerLaunchContext launch(List<String> flags, String main, List<String> arguments) {
        Map<String, String> all = new HashMap<>(environment);
        // This limits the memory arenas of the C library, whose addresses YARN may count.
        all.put("MALLOC_ARENA_MAX", "4");
        all.put(
                CLASS_PATH,
                files.stream()
                        .map(PackagedFile::link)
                        .filter(link -> link.startsWith(PackagedFile.LIB))
                        .collect(Collectors.joining(":", PackagedFile.CONF + ":", "")));
        // With exec, Java replaces the shell, so that YARN's signals reach it.
        String command = String.join(
                " ",
                "exec",
                ApplicationConstants.Environment.JAVA_HOME.$$() + "/bin/java",
                String.join(" ", jvmFlags),
                String.join(" ", flags),
                LOGGING,
                main,
                String.join(" ", arguments),
                "1>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/stdout",
                "2>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/stderr");
        return ContainerLaunchContext.newInstance(
                files.stream().collect(Collectors.toMap(PackagedFile::link, PackagedFile::resource)),
                all,
                List.of(command),
                null,
                null,
                null);
    }
}
