package io.skep.bench.process;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has taken so far. */
public final class ProcessUse {
    private ProcessUse() {}

    /** Peak resident bytes, 0 where the system does not say. */
    public static long peakBytes() throws IOException {
        return 1024 * number(Path.of("/proc/self/status"), "VmHWM:");
    }

    /** Bytes that went to disks, 0 where the system does not say. */
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

    /** Processor time of all threads, 0 where the system does not say. */
    public static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? Math.max(0, system.getProcessCpuTime())
                : 0;
    }

    /** Time in which the collector stopped the world or worked beside it. */
    public static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
