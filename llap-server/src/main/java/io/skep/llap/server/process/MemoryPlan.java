package io.skep.llap.server.process;

import io.skep.llap.server.LlapConfig;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a daemon's process takes of its machine or container, in bytes, at most.
 *
 * @param direct buffers of connections outside of the heap
 * @param headroom what is left for threads, code, the collector and the system; negative when too much has been given away
 */
record MemoryPlan(long machine, long heap, long cache, long direct, long headroom) {
    private static final long MB = 1L << 20;

    /** Where the network library reads its limit, in bytes. */
    private static final String DIRECT_SETTING = "io.grpc.netty.shaded.io.netty.maxDirectMemory";

    /** Who starts a daemon in a container says in it how large that is, in bytes. */
    private static final String CONTAINER_SETTING = "skep.llap.container-bytes";

    /** Of the heap, for buffers of connections. */
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

    /** Makes the network library keep to it; before it is used for the first time. */
    void enforce() {
        System.setProperty(DIRECT_SETTING, Long.toString(direct));
    }

    /** By name, for the log and the pages. */
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
