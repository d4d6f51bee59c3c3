package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.yarn.YarnProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A YARN cluster for a site whose tasks run in containers. Its node runs Hadoop's shuffle service, and its queue
 * {@code closed} is stopped.
 *
 * @param site the settings of a server without daemons
 */
public record ContainerCluster(YarnProcess yarn, Map<String, String> site) implements AutoCloseable {
    private static final Map<String, String> SERVERS = Map.of(
            "yarn.nodemanager.aux-services", "mapreduce_shuffle",
            "yarn.nodemanager.aux-services.mapreduce_shuffle.class", "org.apache.hadoop.mapred.ShuffleHandler",
            "mapreduce.shuffle.port", "0",
            "yarn.scheduler.capacity.root.queues", "default,closed",
            "yarn.scheduler.capacity.root.default.capacity", "100",
            "yarn.scheduler.capacity.root.closed.capacity", "0",
            "yarn.scheduler.capacity.root.closed.state", "STOPPED");

    public ContainerCluster {
        site = Map.copyOf(site);
    }

    /** @param folder the folder for all files that its processes write */
    public static ContainerCluster start(Path folder) throws IOException {
        YarnProcess yarn = YarnProcess.start(Files.createDirectories(folder), 1, SERVERS);
        Map<String, String> site = new TreeMap<>(yarn.settings());
        site.put("hive.metastore.warehouse.dir", site.get("fs.defaultFS") + "/warehouse");
        site.put("hive.execution.mode", "container");
        site.put("skep.script.enabled", "true");
        // A node has room for two of them and an application master.
        site.put("hive.tez.container.size", "1500");
        site.put("hive.tez.java.opts", String.join(" ", SkepCommand.SHORT_LIVED));
        // Starting a container takes longer than most queries.
        site.put("tez.am.container.idle.release-timeout-min.millis", "120000");
        site.put("tez.am.container.idle.release-timeout-max.millis", "240000");
        site.put("tez.local.mode", "false");
        site.put("tez.am.resource.memory.mb", "512");
        return new ContainerCluster(yarn, site);
    }

    /** Returns how many task attempts containers have started, including finished ones. Each attempt logs one line. */
    long startedAttempts() {
        return find("stdout").stream()
                .mapToLong(log -> {
                    try (Stream<String> lines = Files.lines(log)) {
                        return lines.filter(line -> line.contains("Starting to run new task attempt"))
                                .count();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .sum();
    }

    /** Returns the outputs on the node that wait to be fetched. */
    Set<Path> outputs() {
        return find("file.out");
    }

    private Set<Path> find(String name) {
        Path servers = yarn.folder().resolve("yarn");
        while (true) {
            try (Stream<Path> paths = Files.walk(servers)) {
                return paths.filter(path -> path.endsWith(name)).collect(Collectors.toCollection(TreeSet::new));
            } catch (IOException | UncheckedIOException changing) {
                // Files appear and disappear during the walk; the servers' folder stays.
                assertThat(servers).exists();
            }
        }
    }

    /** Returns the files of queries in the cluster's file system. They are deleted when their query ends. */
    public List<String> queryFiles() {
        Configuration configuration = new Configuration();
        yarn.settings().forEach(configuration::set);
        List<String> found = new ArrayList<>();
        try (FileSystem files = FileSystem.newInstance(configuration)) {
            RemoteIterator<LocatedFileStatus> all =
                    files.listFiles(new org.apache.hadoop.fs.Path(files.getHomeDirectory(), ".skep/tez/staging"), true);
            while (all.hasNext()) {
                String path = all.next().getPath().toString();
                if (path.contains("/query-")) {
                    found.add(path);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    @Override
    public void close() {
        yarn.close();
    }
}
