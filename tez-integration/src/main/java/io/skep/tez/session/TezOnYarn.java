package io.skep.tez.session;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What application masters in containers of YARN are made of.
 *
 * @param site settings of the server, those of Hadoop, YARN and Tez among them
 * @param classPath of the server: jars and folders of classes
 * @param home Skep's own folder, with bin/jvm.flags
 * @param javaHome of a JDK 25 on the nodes; that of the nodes themselves when empty
 */
public record TezOnYarn(Map<String, String> site, List<Path> classPath, Path home, Optional<String> javaHome) {
    public TezOnYarn {
        site = Map.copyOf(site);
        classPath = List.copyOf(classPath);
    }
}
