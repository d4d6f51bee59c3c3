package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a daemon divides its container. YARN kills a container that uses more than it was given, so the parts never
 * exceed it. All values are in bytes.
 *
 * @param container size of the container
 * @param heap Java heap
 * @param cache columns of files, outside the heap
 * @param direct buffers of connections and files, outside the heap
 * @param headroom for code, classes, threads and the collector's tables
 */
record ContainerMemory(long container, long heap, long cache, long direct, long headroom) {
    private static final long MB = 1 << 20;
    private static final long MIN_HEAP = 128 * MB;

    /** The system property that contains the memory of the daemon. It replaces the memory of the machine. */
    private static final String CONTAINER = "skep.llap.container-bytes";

    private static final String NETWORK_BUFFERS = "io.grpc.netty.shaded.io.netty.maxDirectMemory";

    ContainerMemory {
        if (heap < 0 || cache < 0 || direct < 0 || headroom < 0 || heap + cache + direct + headroom > container) {
            throw new IllegalArgumentException("heap " + heap + ", cache " + cache + ", direct " + direct
                    + " and headroom " + headroom + " bytes do not fit a container of " + container);
        }
    }

    /**
     * Divides a container. Missing values are derived, with the heap and the cache half and half.
     *
     * @throws SkepException INVALID_CONFIGURATION when the parts do not fit
     */
    static ContainerMemory divide(long container, Optional<Long> heap, Optional<Long> cache) {
        long headroom = Math.clamp(container / 8, 256 * MB, 6144 * MB);
        long direct = Math.clamp(container / 8, 128 * MB, 2048 * MB);
        long left = container - headroom - direct;
        long ofHeap = heap.orElseGet(
                () -> wholeMegabytes(cache.map(given -> left - given).orElse(left / 2)));
        long ofCache = cache.orElseGet(() -> wholeMegabytes(left - ofHeap));
        if (ofHeap < MIN_HEAP || ofCache < 0 || ofHeap + ofCache > left) {
            long needed = headroom + direct + heap.orElse(MIN_HEAP) + cache.orElse(0L);
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "a container of " + text(container) + " is too small for a daemon: "
                                    + heap.map(given -> "heap " + text(given)).orElse("a heap of " + text(MIN_HEAP))
                                    + cache.map(given -> ", cache " + text(given))
                                            .orElse("") + ", buffers "
                                    + text(direct) + " and headroom " + text(headroom) + " take " + text(needed))
                    .withHint("give more with --memory or hive.llap.daemon.yarn.container.mb, or leave out "
                            + "hive.llap.daemon.memory.per.instance.mb and hive.llap.io.memory.size");
        }
        return new ContainerMemory(container, ofHeap, ofCache, direct, headroom);
    }

    private static long wholeMegabytes(long bytes) {
        return Math.floorDiv(bytes, MB) * MB;
    }

    /**
     * Returns the flags that Java is started with. Half of the buffers belong to connections, and the network library
     * counts those itself.
     */
    List<String> flags() {
        return List.of(
                "-Xmx" + heap / MB + "m",
                "-XX:MaxDirectMemorySize=" + (cache + direct / 2) / MB + "m",
                "-D" + NETWORK_BUFFERS + "=" + direct / 2,
                "-D" + CONTAINER + "=" + container,
                // This is address space only, but YARN may count it too.
                "-XX:CompressedClassSpaceSize=128m");
    }

    /** Returns a description in one line, for people. */
    String text() {
        return "container " + text(container) + ": heap " + text(heap) + ", cache " + text(cache) + ", direct "
                + text(direct) + ", headroom " + text(headroom);
    }

    private static String text(long bytes) {
        return String.format(Locale.ROOT, "%d mb", bytes / MB);
    }
}
