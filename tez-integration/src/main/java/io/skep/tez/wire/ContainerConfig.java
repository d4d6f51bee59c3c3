package io.skep.tez.wire;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.yarn.LargestContainer;
import java.util.List;
import java.util.Map;
import org.apache.tez.dag.api.TezConfiguration;

/**
 * Settings for running a query's tasks in containers of YARN.
 *
 * @param containers whether tasks run in containers and not in daemons
 * @param megabytes memory of a container
 * @param cores of a container, and threads of a task
 * @param whenFull whether a query also goes to containers when no daemon has room
 */
public record ContainerConfig(boolean containers, int megabytes, int cores, boolean whenFull) {
    private static final int DERIVED = -1;
    private static final int DEFAULT_MEGABYTES = 1024;

    /** Java needs a good part of this even without a heap. */
    private static final int MIN_MEGABYTES = 512;

    /** The memory that a process needs outside its heap: code, threads, buffers, columns. */
    private static final int BESIDE_MEGABYTES = 640;

    public static final Property<String> MODE = new Property<>(
            "hive.execution.mode",
            PropertyType.oneOf("llap", "container"),
            "llap",
            "Where tasks run: in LLAP daemons, or in YARN containers, which needs tez.local.mode=false. In "
                    + "containers all tasks of a query run, independent of skep.scheduler.");
    public static final Property<String> LLAP_MODE = new Property<>(
            "hive.llap.execution.mode",
            PropertyType.oneOf("all", "only", "auto", "none"),
            "all",
            "Which tasks run in LLAP daemons: all of a query, also with Hive's 'auto', which leaves it to the "
                    + "engine; with 'none' all run in containers. 'map', which divides a query, is not supported.");
    public static final Property<Integer> MEGABYTES = new Property<>(
            "hive.tez.container.size",
            new PropertyType<>("-1, or megabytes from 512 on", text -> derivable(text, MIN_MEGABYTES)),
            "-1",
            "Memory of a task's container in megabytes; -1: 1024.");
    public static final Property<Integer> CORES = new Property<>(
            "hive.tez.cpu.vcores",
            new PropertyType<>("-1, or a number from 1 on", text -> derivable(text, 1)),
            "-1",
            "Cores of a task's container, and the threads that its operators run on; -1: 1.");
    public static final Property<String> JAVA_OPTIONS = new Property<>(
            "hive.tez.java.opts",
            PropertyType.text(),
            "",
            "Java options of a task's container, after Skep's own, which give half of the container or more to "
                    + "the heap; read from the site files only.");

    static final Property<Boolean> WHEN_FULL = new Property<>(
            "skep.tez.containers-when-full",
            PropertyType.flag(),
            "false",
            "Whether a query through Tez runs in YARN containers if no daemon has a free executor when it starts.");

    /** All properties; read when a query runs. */
    public static final List<Property<?>> PROPERTIES = List.of(MODE, LLAP_MODE, MEGABYTES, CORES, WHEN_FULL);

    private static int derivable(String text, int least) {
        int value = Integer.parseInt(text);
        if (value != DERIVED && value < least) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    /** Whether tasks run in containers. */
    public static boolean inContainers(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        boolean containers =
                reader.read(MODE).equals("container") || reader.read(LLAP_MODE).equals("none");
        reader.finish();
        return containers;
    }

    /** Whether tasks run in containers, always or when daemons are full. */
    public static boolean isUsed(Map<String, String> settings) {
        ContainerConfig read = of(settings);
        return read.containers() || read.whenFull();
    }

    public static ContainerConfig of(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        int megabytes = reader.read(MEGABYTES);
        int cores = reader.read(CORES);
        ContainerConfig read = new ContainerConfig(
                inContainers(settings),
                megabytes == DERIVED ? DEFAULT_MEGABYTES : megabytes,
                cores == DERIVED ? 1 : cores,
                reader.read(WHEN_FULL));
        reader.finish();
        return read;
    }

    public boolean isWithin(LargestContainer largest) {
        return megabytes <= largest.megabytes() && cores <= largest.cores();
    }

    /** @throws SkepException INVALID_CONFIGURATION when YARN allocates no such container */
    public void check(LargestContainer largest) {
        largest.check("a task's container", megabytes, cores, MEGABYTES.name(), CORES.name());
    }

    /**
     * Checks that the cluster has room for a container. Otherwise a query would wait forever for its first container.
     *
     * @param all memory of the cluster
     * @param master memory of an application master
     * @throws SkepException INVALID_CONFIGURATION when even an empty cluster has no room for a container next to a
     *     master
     */
    public void checkRoom(long all, int master) {
        if (megabytes + (long) master > all) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "YARN's nodes have " + all + " mb, too little for a task's container of " + megabytes
                                    + " mb in addition to an application master of " + master + " mb")
                    .withHint("ask for less with " + MEGABYTES.name() + " or "
                            + TezConfiguration.TEZ_AM_RESOURCE_MEMORY_MB);
        }
    }

    int heapMegabytes() {
        return Math.max(megabytes / 2, megabytes - BESIDE_MEGABYTES);
    }

    /** Returns the Java options that the site adds in containers. */
    public static String javaOptions(Map<String, String> site) {
        return new SettingsReader(site).read(JAVA_OPTIONS).strip();
    }

    /**
     * Returns the Java flags for a container.
     *
     * @param javaOptions the site's options, which follow Skep's own
     */
    public String flags(String javaOptions) {
        List<String> flags = List.of(
                "-Xmx" + heapMegabytes() + "m",
                "-XX:ActiveProcessorCount=" + cores,
                // This is only address space, but YARN may count that too.
                "-XX:CompressedClassSpaceSize=128m",
                "-XX:ReservedCodeCacheSize=128m",
                javaOptions);
        return String.join(" ", flags).strip();
    }
}
