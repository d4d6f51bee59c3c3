package io.skep.tez.session;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters for application masters in containers of YARN.
 *
 * @param site settings of the server, including those of Hadoop, YARN and Tez
 * @param classPath of the server: jars and folders of classes
 * @param home Skep's own folder, with bin/jvm.flags
 * @param javaHome of a JDK 25 on the nodes; empty for the nodes' own Java
 */
public record YarnMasterConfig(Map<String, String> site, List<Path> classPath, Path home, Optional<String> javaHome) {
    public YarnMasterConfig {
        site = Map.copyOf(site);
        classPath = List.copyOf(classPath);
    }
}
