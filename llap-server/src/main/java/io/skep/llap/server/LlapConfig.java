package io.skep.llap.server;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sizes of a daemon. {@link #derive} takes them from the machine, so that there is nothing to tune.
 *
 * @param executors threads that run operators
 * @param ioThreads threads that read files
 * @param quantumNanos how long a step runs before the next one has its turn
 * @param cacheBytes memory outside of the heap for column chunks
 * @param slabBytes unit of cache memory, and the largest chunk that is cached
 * @param maxOpenReaders open files kept with their footers and indexes
 * @param maxMemoryBytes heap that all queries together may reserve
 * @param maxQueryMemoryBytes heap that one query may reserve
 * @param exchangeBytes heap for rows between tasks, before they go to disk; part of maxMemoryBytes
 * @param maxSpillBytes disk that one task may take
 * @param readAheadBytes bytes read ahead and not yet consumed
 * @param resultBufferBytes result rows that wait for a client before the query pauses
 * @param spillFolder where spill and exchange files go; the daemon's own, emptied when it starts
 */
public record LlapConfig(
        int executors,
        int ioThreads,
        long quantumNanos,
        long cacheBytes,
        int slabBytes,
        int maxOpenReaders,
        long maxMemoryBytes,
        long maxQueryMemoryBytes,
        long exchangeBytes,
        long maxSpillBytes,
        long readAheadBytes,
        long resultBufferBytes,
        Path spillFolder) {
    private static final long MB = 1 << 20;

    public LlapConfig {
        positive("executors", executors);
        positive("ioThreads", ioThreads);
        positive("quantumNanos", quantumNanos);
        positive("slabBytes", slabBytes);
        positive("maxOpenReaders", maxOpenReaders);
        positive("maxMemoryBytes", maxMemoryBytes);
        positive("maxQueryMemoryBytes", maxQueryMemoryBytes);
        positive("resultBufferBytes", resultBufferBytes);
        if (cacheBytes < 0 || exchangeBytes < 0 || readAheadBytes < 0 || maxSpillBytes < 0) {
            throw new IllegalArgumentException("sizes of a daemon cannot be negative: cache " + cacheBytes
                    + ", exchange " + exchangeBytes + ", read-ahead " + readAheadBytes + ", spill " + maxSpillBytes);
        }
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " of a daemon is " + value + ", not a positive number");
        }
    }

    /** The sizes for this process: its cores, its heap, the memory of the machine or container beside the heap. */
    public static LlapConfig derive(Path spillFolder) {
        Runtime runtime = Runtime.getRuntime();
        return derive(runtime.availableProcessors(), runtime.maxMemory(), physicalMemory(), spillFolder);
    }

    static LlapConfig derive(int cores, long heapBytes, long machineBytes, Path spillFolder) {
        long beside = Math.max(0, machineBytes - heapBytes - 512 * MB);
        long cache = Math.max(64 * MB, Math.min(beside / 2, machineBytes / 2));
        long memory = Math.max(64 * MB, heapBytes / 10 * 7);
        return new LlapConfig(
                cores,
                Math.max(4, 2 * cores),
                10_000_000,
                cache,
                (int) Math.clamp(cache / 64, MB, 8 * MB),
                4096,
                memory,
                Math.max(32 * MB, memory / 10 * 8),
                Math.max(16 * MB, memory / 4),
                Long.MAX_VALUE,
                Math.clamp(memory / 8, 16 * MB, 1024 * MB),
                Math.clamp(memory / 32, 4 * MB, 64 * MB),
                spillFolder);
    }

    private static long physicalMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 2 * Runtime.getRuntime().maxMemory();
    }

    /** Every value by name, for the log and the user interface. */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("skep.llap.executors", Integer.toString(executors));
        values.put("skep.llap.io-threads", Integer.toString(ioThreads));
        values.put("skep.llap.quantum", quantumNanos / 1_000_000 + " ms");
        values.put("skep.llap.cache-bytes", Long.toString(cacheBytes));
        values.put("skep.llap.slab-bytes", Integer.toString(slabBytes));
        values.put("skep.llap.max-open-readers", Integer.toString(maxOpenReaders));
        values.put("skep.llap.max-memory", Long.toString(maxMemoryBytes));
        values.put("skep.query.max-memory", Long.toString(maxQueryMemoryBytes));
        values.put("skep.llap.exchange-bytes", Long.toString(exchangeBytes));
        values.put("skep.spill.max-bytes", Long.toString(maxSpillBytes));
        values.put("skep.llap.read-ahead-bytes", Long.toString(readAheadBytes));
        values.put("skep.llap.result-buffer-bytes", Long.toString(resultBufferBytes));
        values.put("skep.llap.spill-folder", spillFolder.toString());
        return values;
    }
}
