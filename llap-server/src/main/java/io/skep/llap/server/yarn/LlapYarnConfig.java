package io.skep.llap.server.yarn;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of daemons on YARN. The command may override them.
 *
 * @param name name of the application, and under which its daemons register
 * @param queue queue of YARN
 * @param container bytes of a daemon's container
 * @param heap bytes of it for Java's heap; derived when empty
 * @param cache bytes of it for columns of files; derived when empty
 * @param cores cores of a daemon
 * @param javaHome path of a JDK 25 on all nodes; when empty, the JAVA_HOME of the nodes
 * @param longestSilence how long a daemon may be silent before it is replaced
 */
public record LlapYarnConfig(
        String name,
        String queue,
        long container,
        Optional<Long> heap,
        Optional<Long> cache,
        int cores,
        Optional<String> javaHome,
        Duration longestSilence) {
    private static final long MB = 1 << 20;

    private static final PropertyType<Optional<Long>> MEGABYTES = PropertyType.derivable(PropertyType.count(1));

    static final String HOSTS = "hive.llap.daemon.service.hosts";
    static final String CACHE = "hive.llap.io.memory.size";

    private static final Property<Long> CONTAINER = new Property<>(
            "hive.llap.daemon.yarn.container.mb",
            PropertyType.count(1),
            "4096",
            "Size of the container of a daemon on YARN in megabytes: heap, cache and everything else.");
    private static final Property<Optional<Long>> HEAP = new Property<>(
            "hive.llap.daemon.memory.per.instance.mb",
            MEGABYTES,
            PropertyType.AUTO,
            "Heap of a daemon on YARN in megabytes; derived from its container unless set.");
    private static final Property<Integer> CORES = new Property<>(
            "hive.llap.daemon.vcpus.per.instance", PropertyType.integer(1, 1 << 20), "4", "Cores of a daemon on YARN.");
    private static final Property<String> QUEUE =
            new Property<>("hive.llap.daemon.queue.name", PropertyType.text(), "default", "YARN queue of the daemons.");
    private static final Property<Optional<String>> JAVA_HOME = new Property<>(
            "skep.llap.yarn.java-home",
            PropertyType.optionalText(),
            "",
            "Folder of a JDK 25 on YARN's nodes, for daemons and Tez's application masters; JAVA_HOME of the "
                    + "NodeManagers when empty.");

    private static final Property<Duration> LONGEST_SILENCE = new Property<>(
            "skep.llap.yarn.liveness-timeout",
            PropertyType.time(Duration.ofSeconds(1)),
            "60s",
            "Time after which the application master replaces a daemon on YARN that it cannot reach.");

    /** All properties, for the reference documentation. */
    public static final List<Property<?>> PROPERTIES =
            List.of(CONTAINER, HEAP, CORES, QUEUE, JAVA_HOME, LONGEST_SILENCE);

    /** Reads the settings. */
    static LlapYarnConfig of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        Optional<Long> cache = reader.read(new Property<>(
                CACHE,
                PropertyType.derivable(PropertyType.size(0, Long.MAX_VALUE)),
                PropertyType.AUTO,
                "Off-heap memory for cached columns of files."));
        LlapYarnConfig config = new LlapYarnConfig(
                name(settings.getOrDefault(HOSTS, "")),
                reader.read(QUEUE),
                reader.read(CONTAINER) * MB,
                reader.read(HEAP).map(megabytes -> megabytes * MB),
                cache,
                reader.read(CORES),
                reader.read(JAVA_HOME),
                reader.read(LONGEST_SILENCE));
        reader.finish();
        return config;
    }

    /** Returns the path of a JDK 25 on all nodes, as {@link #of} reads it. */
    public static Optional<String> javaHome(Map<String, String> settings) {
        return JAVA_HOME.type().parse(settings.getOrDefault(JAVA_HOME.name(), JAVA_HOME.defaultValue()));
    }

    private static String name(String hosts) {
        return hosts.startsWith("@") ? hosts.substring(1) : "llap0";
    }
}
