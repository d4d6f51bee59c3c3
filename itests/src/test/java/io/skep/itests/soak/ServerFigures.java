package io.skep.itests.soak;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.UnixOperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What a server's process holds, read through the JVM's own management. */
final class ServerFigures implements AutoCloseable {
    private static final Pattern THREAD = Pattern.compile("\"tid\"");
    private static final String STAGING = ".skep-staging-";

    /** A collection may leave what only the next one sees as garbage, such as what references to it were cleared of. */
    private static final int COLLECTIONS = 3;

    private final JMXConnector connector;
    private final MemoryMXBean memory;
    private final BufferPoolMXBean direct;
    private final UnixOperatingSystemMXBean system;
    private final HotSpotDiagnosticMXBean diagnostic;
    private final Path data;

    /**
     * One reading.
     *
     * @param heapBytes what is left after a collection
     * @param directBytes of memory outside of the heap
     * @param threads virtual ones, too
     * @param descriptors that are open
     * @param folders of statements in the data folder and the warehouse
     */
    record Reading(long heapBytes, long directBytes, long threads, long descriptors, long folders) {}

    /** @param data the server's data folder, with the warehouse in it */
    @SuppressWarnings("BanJNDI") // the address of a JVM of this test
    ServerFigures(long pid, Path data) throws IOException, AttachNotSupportedException {
        this.data = data;
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            connector = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
        MBeanServerConnection beans = connector.getMBeanServerConnection();
        memory = ManagementFactory.getPlatformMXBean(beans, MemoryMXBean.class);
        system = ManagementFactory.getPlatformMXBean(beans, UnixOperatingSystemMXBean.class);
        diagnostic = ManagementFactory.getPlatformMXBean(beans, HotSpotDiagnosticMXBean.class);
        direct = ManagementFactory.getPlatformMXBeans(beans, BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
    }

    Reading read() throws IOException {
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return new Reading(
                memory.getHeapMemoryUsage().getUsed(),
                direct.getMemoryUsed(),
                threads(),
                system.getOpenFileDescriptorCount(),
                folders());
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
        connector.close();
    }
}
