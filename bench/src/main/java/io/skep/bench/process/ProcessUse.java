package io.skep.bench.process;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resource usage of this process so far. */
public final class ProcessUse {
    private ProcessUse() {}

    /** Returns the peak resident bytes, or 0 when the system does not report them. */
    public static long peakBytes() throws IOException {
        return 1024 * number(Path.of("/proc/self/status"), "VmHWM:");
    }

    /** Returns the bytes written to disks, or 0 when the system does not report them. */
    public static long writtenBytes() throws IOException {
        return number(Path.of("/proc/self/io"), "write_bytes:");
    }

    private static long number(Path file, String name) throws IOException {
        if (!Files.isReadable(file)) {
            return 0;
        }
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    /** Returns the processor time of all threads, or 0 when the system does not report it. */
    public static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? Math.max(0, system.getProcessCpuTime())
                : 0;
    }

    /** Returns the time in which the garbage collector stopped all threads or worked concurrently. */
    public static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
