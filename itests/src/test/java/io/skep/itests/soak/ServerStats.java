package io.skep.itests.soak;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.UnixOperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import io.skep.itests.server.ServerJvm;
import io.skep.itests.server.ZooKeeperServer;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;

/** The resources that a server's process holds, read through the JVM's management interface. */
final class ServerStats implements AutoCloseable {
    private static final Pattern THREAD = Pattern.compile("\"tid\"");
    private static final String STAGING = ".skep-staging-";

    private final ServerJvm jvm;
    private final BufferPoolMXBean direct;
    private final UnixOperatingSystemMXBean system;
    private final HotSpotDiagnosticMXBean diagnostic;
    private final Path data;
    private final ZooKeeperServer zooKeeper;

    /**
     * One reading.
     *
     * @param heapBytes the used heap after a collection
     * @param directBytes memory outside of the heap
     * @param threads the number of threads, including virtual ones
     * @param descriptors the number of open descriptors
     * @param folders the number of statements' folders in the data folder and the warehouse
     * @param nodes the number of nodes in ZooKeeper
     */
    record Reading(long heapBytes, long directBytes, long threads, long descriptors, long folders, int nodes) {}

    /**
     * @param data the server's data folder, which contains the warehouse
     * @param zooKeeper the ZooKeeper in which the server registers
     */
    ServerStats(long pid, Path data, ZooKeeperServer zooKeeper) throws IOException, AttachNotSupportedException {
        this.data = data;
        this.zooKeeper = zooKeeper;
        jvm = new ServerJvm(pid);
        MBeanServerConnection beans = jvm.beans();
        system = ManagementFactory.getPlatformMXBean(beans, UnixOperatingSystemMXBean.class);
        diagnostic = ManagementFactory.getPlatformMXBean(beans, HotSpotDiagnosticMXBean.class);
        direct = ManagementFactory.getPlatformMXBeans(beans, BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
    }

    Reading read() throws Exception {
        return new Reading(
                jvm.heapBytes(),
                direct.getMemoryUsed(),
                threads(),
                system.getOpenFileDescriptorCount(),
                folders(),
                zooKeeper.nodes());
    }

    private long threads() throws IOException {
        Path dump = data.resolveSibling("threads.json");
        Files.deleteIfExists(dump);
        diagnostic.dumpThreads(dump.toString(), ThreadDumpFormat.JSON);
        return THREAD.matcher(Files.readString(dump)).results().count();
    }

    private long folders() throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(path -> path.getFileName().toString().startsWith(STAGING))
                    .count();
        }
    }

    @Override
    public void close() throws IOException {
        jvm.close();
    }
}
