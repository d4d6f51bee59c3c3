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
 * All that a container needs to run the master or a daemon.
 *
 * @param files the class path's, in its order, and those of the folder {@code conf}
 * @param jvmFlags what every JVM of Skep is started with
 * @param daemonMain class of the daemon's main method; it is given its container's data, conf and ports as options
 * @param environment of the process
 */
record DaemonPackage(
        List<PackagedFile> files, List<String> jvmFlags, String daemonMain, Map<String, String> environment) {
    /** Read by Java itself, so that the command line stays short enough to be shown by tools. */
    private static final String CLASS_PATH = "CLASSPATH";

    private static final String LOGGING = "-Dlog4j.configuration=file:" + PackagedFile.CONF + "/log4j.properties";

    DaemonPackage {
        files = List.copyOf(files);
        jvmFlags = List.copyOf(jvmFlags);
        environment = Map.copyOf(environment);
    }

    /** Starts the master on the application's folder. */
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

    /** Starts a daemon, which tells the application's folder where it is. */
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
        // Fewer pools of the C library, whose addresses YARN may count.
        all.put("MALLOC_ARENA_MAX", "4");
        all.put(
                CLASS_PATH,
                files.stream()
                        .map(PackagedFile::link)
                        .filter(link -> link.startsWith(PackagedFile.LIB))
                        .collect(Collectors.joining(":", PackagedFile.CONF + ":", "")));
        // The shell becomes Java, so that YARN's signals reach it.
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
