package io.skep.service.doctor;

import com.sun.management.OperatingSystemMXBean;
import io.skep.llap.server.LlapConfig;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** Checks whether the maximum memory of a server with this JVM's settings fits the machine or the container. */
record MemoryCheck(LlapConfig daemon) implements Check {
    /** Memory for code, threads, socket buffers and the garbage collector's own tables. */
    private static final long HEADROOM_BYTES = 512L << 20;

    @Override
    public String part() {
        return "memory plan";
    }

    @Override
    public List<Finding> run() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)) {
            return List.of(Finding.note(part(), "this Java does not tell the machine's memory"));
        }
        return List.of(
                judge(Runtime.getRuntime().maxMemory(), daemon.cacheBytes(), system.getTotalMemorySize(), part()));
    }

    static Finding judge(long heap, long cache, long machine, String part) {
        long whole = heap + cache + HEADROOM_BYTES;
        String plan = "heap " + text(heap) + ", cache " + text(cache) + ", besides " + text(HEADROOM_BYTES) + ", of "
                + text(machine);
        return whole <= machine
                ? Finding.ok(part, plan)
                : Finding.failure(
                        part,
                        plan + ": " + text(whole - machine) + " too much",
                        "lower -Xmx or hive.llap.io.memory.size, or leave both out and have them derived");
    }

    static String text(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / (double) (1L << 30));
    }
}
