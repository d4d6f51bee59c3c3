package io.skep.llap.server.process;

import io.skep.llap.server.LlapConfig;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The upper limits of the memory that a daemon's process uses of its machine or container, in bytes.
 *
 * @param direct buffers of connections outside the heap
 * @param headroom remaining bytes for threads, code, the collector and the system; negative when the other parts exceed
 *     the memory
 */
record MemoryPlan(long machine, long heap, long cache, long direct, long headroom) {
    private static final long MB = 1L << 20;

    /** The system property from which the network library reads its limit, in bytes. */
    private static final String DIRECT_SETTING = "io.grpc.netty.shaded.io.netty.maxDirectMemory";

    /**
     * The system property that contains the size of the daemon's container, in bytes. The starter of the container sets
     * it.
     */
    private static final String CONTAINER_SETTING = "skep.llap.container-bytes";

    /** The reciprocal of the share of the heap that sizes the connection buffers. */
    private static final int DIRECT_SHARE = 4;

    static MemoryPlan of(LlapConfig sizes) {
        long heap = Runtime.getRuntime().maxMemory();
        long whole =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getTotalMemorySize()
                        : 2 * heap;
        long machine = Long.getLong(CONTAINER_SETTING, whole);
        long direct = Long.getLong(DIRECT_SETTING, Math.max(256 * MB, heap / DIRECT_SHARE));
        return new MemoryPlan(machine, heap, sizes.cacheBytes(), direct, machine - heap - sizes.cacheBytes() - direct);
    }

    /** Makes the network library observe the plan. Must be called before its first use. */
    void enforce() {
        System.setProperty(DIRECT_SETTING, Long.toString(direct));
    }

    /** Returns the values by name, for the log and the web pages. */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("memory plan: machine", text(machine));
        values.put("memory plan: heap", text(heap));
        values.put("memory plan: cache", text(cache));
        values.put("memory plan: direct", text(direct));
        values.put("memory plan: headroom", text(headroom));
        return values;
    }

    private static String text(long bytes) {
        return bytes / MB + " MB";
    }

    @Override
    public String toString() {
        return "machine " + text(machine) + " = heap " + text(heap) + " + cache " + text(cache) + " + direct "
                + text(direct) + " + headroom " + text(headroom);
    }
}
