package io.skep.itests.server;

import io.skep.itests.yarn.YarnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A YARN whose node has Hadoop's shuffle service, for a site whose tasks run in containers.
 *
 * @param site settings of a server without daemons
 */
public record ContainerCluster(YarnProcess yarn, Map<String, String> site) implements AutoCloseable {
    public ContainerCluster {
        site = Map.copyOf(site);
    }

    /** @param folder for everything that its processes write */
    public static ContainerCluster start(Path folder) throws IOException {
        YarnProcess yarn = YarnProcess.start(
                Files.createDirectories(folder),
                1,
                Map.of(
                        "yarn.nodemanager.aux-services",
                        "mapreduce_shuffle",
                        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
                        "org.apache.hadoop.mapred.ShuffleHandler",
                        "mapreduce.shuffle.port",
                        "0"));
        Map<String, String> site = new TreeMap<>(yarn.settings());
        site.put("hive.metastore.warehouse.dir", site.get("fs.defaultFS") + "/warehouse");
        site.put("hive.execution.mode", "container");
        site.put("hive.tez.container.size", "640");
        site.put("tez.local.mode", "false");
        site.put("tez.am.resource.memory.mb", "512");
        return new ContainerCluster(yarn, site);
    }

    @Override
    public void close() {
        yarn.close();
    }
}
