package io.skep.llap.server;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.llap.server.disk.DiskTier;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sizes of a daemon. {@link #derive} computes them from the machine, so that no tuning is needed.
 *
 * @param executors threads that run operators
 * @param maxDetachedExecutors threads, in addition to the executors, that may be in steps which do not return
 * @param ioThreads threads that read files
 * @param quantumNanos how long a step runs before the next one has its turn
 * @param cacheBytes memory outside the heap for column chunks
 * @param slabBytes unit of cache memory; a large chunk uses several
 * @param maxOpenReaders open files kept with their footers and indexes
 * @param maxMemoryBytes heap that all queries together may reserve
 * @param maxQueryMemoryBytes heap that one query may reserve
 * @param exchangeBytes heap for rows between tasks, before they go to disk; part of maxMemoryBytes
 * @param maxSpillBytes disk that one task may use
 * @param maxExchangeSpillBytes disk that rows between tasks may use, for all queries together
 * @param maxQueryExchangeSpillBytes disk that rows between the tasks of one query may use
 * @param maxJarBytes disk for function jars that other processes have sent
 * @param readAheadBytes limit of the bytes read ahead and not yet consumed
 * @param resultBufferBytes result rows that wait for a client before the query pauses
 * @param diskCacheBytes disk for columns that leave memory, in all folders together; 0 for none
 * @param diskCacheFolders local folders for them, each with an equal part
 * @param spillFolder folder of spill and exchange files; it belongs to this daemon, which empties it at the start
 */
public record LlapConfig(
        int executors,
        int maxDetachedExecutors,
        int ioThreads,
        long quantumNanos,
        long cacheBytes,
        int slabBytes,
        int maxOpenReaders,
        long maxMemoryBytes,
        long maxQueryMemoryBytes,
        long exchangeBytes,
        long maxSpillBytes,
        long maxExchangeSpillBytes,
        long maxQueryExchangeSpillBytes,
        long maxJarBytes,
        long readAheadBytes,
        long resultBufferBytes,
        long diskCacheBytes,
        List<Path> diskCacheFolders,
        Path spillFolder) {
    private static final long MB = 1 << 20;
    private static final int MAX_FOLDERS = 32;
    private static final long MIN_DISK_CACHE = 16 * MB;

    public LlapConfig {
        diskCacheFolders = List.copyOf(diskCacheFolders);
        positive("executors", executors);
        positive("maxDetachedExecutors", maxDetachedExecutors);
        positive("ioThreads", ioThreads);
        positive("quantumNanos", quantumNanos);
        positive("slabBytes", slabBytes);
        positive("maxOpenReaders", maxOpenReaders);
        positive("maxMemoryBytes", maxMemoryBytes);
        positive("maxQueryMemoryBytes", maxQueryMemoryBytes);
        positive("maxExchangeSpillBytes", maxExchangeSpillBytes);
        positive("maxQueryExchangeSpillBytes", maxQueryExchangeSpillBytes);
        positive("maxJarBytes", maxJarBytes);
        positive("resultBufferBytes", resultBufferBytes);
        sizeOfDiskCache(diskCacheBytes, diskCacheFolders.size());
        if (cacheBytes < 0 || exchangeBytes < 0 || readAheadBytes < 0 || maxSpillBytes < 0) {
            throw new IllegalArgumentException("sizes of a daemon cannot be negative: cache " + cacheBytes
                    + ", exchange " + exchangeBytes + ", read-ahead " + readAheadBytes + ", spill " + maxSpillBytes);
        }
    }

    private static void sizeOfDiskCache(long bytes, int folders) {
        if (bytes != 0 && (folders == 0 || bytes < DiskTier.leastBytes(folders))) {
            throw new IllegalArgumentException("a disk cache of " + bytes + " bytes in " + folders
                    + " folders is too small; it needs " + DiskTier.leastBytes(1) + " bytes in each");
        }
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " of a daemon is " + value + ", not a positive number");
        }
    }

    private static final PropertyType<Optional<Integer>> COUNT =
            PropertyType.derivable(PropertyType.integer(1, 1 << 20));
    private static final PropertyType<Optional<Long>> SIZE =
            PropertyType.derivable(PropertyType.size(1, Long.MAX_VALUE));

    static final Property<Optional<Integer>> EXECUTORS =
            property("hive.llap.daemon.num.executors", COUNT, "Threads that run operators.");
    static final Property<Optional<Integer>> DETACHED = property(
            "skep.llap.max-detached-executors",
            COUNT,
            "Maximum number of threads, in addition to the executors, that run functions which do not return. "
                    + "Above it no executor is replaced.");
    static final Property<Optional<Integer>> IO_THREADS =
            property("hive.llap.io.threadpool.size", COUNT, "Threads that read files.");
    static final Property<Optional<Duration>> QUANTUM = property(
            "skep.llap.quantum",
            PropertyType.derivable(PropertyType.time(Duration.ofMillis(1))),
            "Time that a step of a query runs before the next one has its turn.");
    static final Property<Optional<Long>> CACHE = property(
            "hive.llap.io.memory.size",
            PropertyType.derivable(PropertyType.size(0, Long.MAX_VALUE)),
            "Off-heap memory for cached columns of files.");
    static final Property<Optional<Integer>> OPEN_READERS = property(
            "skep.llap.max-open-readers",
            COUNT,
            "Maximum number of files that stay open, with their footers and indexes.");
    static final Property<Optional<Long>> MEMORY =
            property("skep.llap.max-memory", SIZE, "Heap that all queries together may reserve.");
    static final Property<Optional<Long>> QUERY_MEMORY =
            property("skep.llap.max-query-memory", SIZE, "Heap that one query may reserve.");
    static final Property<Optional<Long>> EXCHANGE =
            property("skep.llap.exchange-memory", SIZE, "Heap for rows between tasks before they are spilled.");
    static final Property<Optional<Long>> SPILL =
            property("skep.spill.max-bytes-per-task", SIZE, "Disk that the spill files of one task may use.");
    /** The disk space that is free at the start is shared with spilling tasks and with other processes. */
    private static final int FREE_DISK_SHARE = 2;

    private static final long MIN_EXCHANGE_SPILL = 1024 * MB;

    static final Property<Optional<Long>> EXCHANGE_SPILL = property(
            "skep.llap.exchange-spill",
            SIZE,
            "Disk for spilled rows between tasks, of all queries; auto: half of the free space at the start.");
    static final Property<Optional<Long>> QUERY_EXCHANGE_SPILL = property(
            "skep.llap.query-exchange-spill",
            SIZE,
            "Disk for spilled rows between the tasks of one query; auto: three quarters of the disk for all "
                    + "queries.");
    private static final long DEFAULT_JARS = 4096 * MB;

    public static final Property<Long> JARS = new Property<>(
            "skep.llap.max-jars-size",
            PropertyType.size(MB, Long.MAX_VALUE),
            "4gb",
            "Disk for jars of functions in plans. A jar stays for ten minutes after its last query, or until the "
                    + "space is needed. Queries fail when there is no space for their jars.");
    static final Property<Optional<Long>> READ_AHEAD =
            property("skep.llap.read-ahead", SIZE, "Maximum number of bytes that are read ahead and not yet consumed.");
    static final Property<Optional<Long>> RESULT_BUFFER = property(
            "skep.llap.result-buffer",
            SIZE,
            "Bytes of result rows that are buffered for a client before the query pauses.");

    static final Property<Long> DISK_CACHE = new Property<>(
            "skep.llap.disk-cache.size",
            new PropertyType<>(
                    "0, or a size of 16 mb or more",
                    text -> leastDisk(PropertyType.size(0, Long.MAX_VALUE).parse(text))),
            "0",
            "Local disk for columns that are evicted from memory but are still used; 0: no disk cache.");
    static final Property<List<Path>> DISK_CACHE_FOLDERS = new Property<>(
            "skep.llap.disk-cache.folders",
            new PropertyType<>("up to " + MAX_FOLDERS + " folders with commas between them", LlapConfig::folders),
            "",
            "Folders of the disk cache, best on separate disks; disk-cache in the data folder when empty.");

    private static long leastDisk(long bytes) {
        if (bytes != 0 && bytes < MIN_DISK_CACHE) {
            throw new IllegalArgumentException("less than 16 mb");
        }
        return bytes;
    }

    private static List<Path> folders(String text) {
        List<Path> folders = Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .distinct()
                .toList();
        if (folders.size() > MAX_FOLDERS) {
            throw new IllegalArgumentException(folders.size() + " folders are too many");
        }
        return folders;
    }

    /** All properties, for the reference documentation. */
    public static final List<Property<?>> PROPERTIES = List.of(
            EXECUTORS,
            DETACHED,
            IO_THREADS,
            QUANTUM,
            CACHE,
            OPEN_READERS,
            MEMORY,
            QUERY_MEMORY,
            EXCHANGE,
            SPILL,
            EXCHANGE_SPILL,
            QUERY_EXCHANGE_SPILL,
            JARS,
            READ_AHEAD,
            RESULT_BUFFER,
            DISK_CACHE,
            DISK_CACHE_FOLDERS);

    private static <T> Property<Optional<T>> property(String name, PropertyType<Optional<T>> type, String text) {
        return new Property<>(name, type, PropertyType.AUTO, text);
    }

    /** Reads the sizes from the settings. Those that are not set are derived for this process. */
    public static LlapConfig of(SettingsReader settings, Path spillFolder) {
        LlapConfig derived = derive(spillFolder);
        int executors = settings.read(EXECUTORS).orElse(derived.executors);
        long cache = settings.read(CACHE).orElse(derived.cacheBytes);
        long memory = settings.read(MEMORY).orElse(derived.maxMemoryBytes);
        long exchangeSpill = settings.read(EXCHANGE_SPILL).orElse(derived.maxExchangeSpillBytes);
        List<Path> diskFolders = settings.read(DISK_CACHE_FOLDERS);
        return new LlapConfig(
                executors,
                settings.read(DETACHED).orElse(detached(executors)),
                settings.read(IO_THREADS).orElse(Math.max(derived.ioThreads, 2 * executors)),
                Math.max(1, settings.read(QUANTUM).map(Duration::toNanos).orElse(derived.quantumNanos)),
                cache,
                slab(cache),
                settings.read(OPEN_READERS).orElse(derived.maxOpenReaders),
                memory,
                settings.read(QUERY_MEMORY).orElse(queryMemory(memory)),
                settings.read(EXCHANGE).orElse(exchange(memory)),
                settings.read(SPILL).orElse(derived.maxSpillBytes),
                exchangeSpill,
                settings.read(QUERY_EXCHANGE_SPILL).orElse(queryExchangeSpill(exchangeSpill)),
                settings.read(JARS),
                settings.read(READ_AHEAD).orElse(derived.readAheadBytes),
                settings.read(RESULT_BUFFER).orElse(derived.resultBufferBytes),
                settings.read(DISK_CACHE),
                diskFolders.isEmpty() ? derived.diskCacheFolders : diskFolders,
                spillFolder);
    }

    /**
     * Derives the sizes for this process from its cores, its heap, and the memory of the machine or container outside
     * the heap.
     */
    public static LlapConfig derive(Path spillFolder) {
        Runtime runtime = Runtime.getRuntime();
        return derive(runtime.availableProcessors(), runtime.maxMemory(), machineMemory(), spillFolder);
    }

    /**
     * Derives the sizes for a process that runs the tasks of one container.
     *
     * @param containerBytes memory of the whole process
     */
    public static LlapConfig ofContainer(int executors, long containerBytes, Path spillFolder) {
        return derive(executors, Runtime.getRuntime().maxMemory(), containerBytes, spillFolder);
    }

    private static int detached(int executors) {
        return Math.max(32, 16 * executors);
    }

    private static int slab(long cache) {
        return (int) Math.clamp(cache / 64, MB, 8 * MB);
    }

    private static long queryMemory(long memory) {
        return Math.max(Math.min(memory, 32 * MB), memory / 10 * 8);
    }

    private static long exchange(long memory) {
        return Math.max(Math.min(memory, 16 * MB), memory / 4);
    }

    static LlapConfig derive(int cores, long heapBytes, long machineBytes, Path spillFolder) {
        long beside = Math.max(0, machineBytes - heapBytes - 512 * MB);
        long cache = Math.max(64 * MB, Math.min(beside / 2, machineBytes / 2));
        long memory = Math.max(64 * MB, heapBytes / 10 * 7);
        long exchangeSpill = Math.max(MIN_EXCHANGE_SPILL, freeDisk(spillFolder) / FREE_DISK_SHARE);
        return new LlapConfig(
                cores,
                detached(cores),
                Math.max(4, 2 * cores),
                10_000_000,
                cache,
                slab(cache),
                4096,
                memory,
                queryMemory(memory),
                exchange(memory),
                Long.MAX_VALUE,
                exchangeSpill,
                queryExchangeSpill(exchangeSpill),
                DEFAULT_JARS,
                Math.clamp(memory / 8, 16 * MB, 1024 * MB),
                Math.clamp(memory / 32, 4 * MB, 64 * MB),
                0,
                List.of(spillFolder.resolveSibling("disk-cache")),
                spillFolder);
    }

    private static long queryExchangeSpill(long exchangeSpill) {
        return Math.max(1, exchangeSpill / 4 * 3);
    }

    /**
     * Returns the free bytes of the disk that contains the folder or will contain it. Returns {@code Long.MAX_VALUE}
     * where they cannot be determined.
     */
    private static long freeDisk(Path folder) {
        Path there = folder.toAbsolutePath();
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return Files.getFileStore(there).getUsableSpace();
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Returns the memory that this process may use: that of the machine or its container, less what other processes
     * hold at present. Otherwise two processes on one machine would each plan with all of it.
     */
    private static long machineMemory() {
        return Math.min(totalMemory(), availableMemory());
    }

    /** Returns a line for the log if other processes hold so much memory that the cache is smaller because of them. */
    public static Optional<String> memoryNote() {
        long total = totalMemory();
        long available = availableMemory();
        return available < total / 10 * 9
                ? Optional.of(
                        available + " of " + total + " bytes of memory are available: other processes use the rest,"
                                + " and the cache is smaller because of that")
                : Optional.empty();
    }

    private static long totalMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 2 * Runtime.getRuntime().maxMemory();
    }

    private static long availableMemory() {
        return AvailableMemory.read().orElse(totalMemory());
    }

    /** Returns every value by name, for the log and the user interface. */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(EXECUTORS.name(), Integer.toString(executors));
        values.put(DETACHED.name(), Integer.toString(maxDetachedExecutors));
        values.put(IO_THREADS.name(), Integer.toString(ioThreads));
        values.put(QUANTUM.name(), quantumNanos / 1_000_000 + " ms");
        values.put(CACHE.name(), Long.toString(cacheBytes));
        values.put("slab of the cache", Integer.toString(slabBytes));
        values.put(OPEN_READERS.name(), Integer.toString(maxOpenReaders));
        values.put(MEMORY.name(), Long.toString(maxMemoryBytes));
        values.put(QUERY_MEMORY.name(), Long.toString(maxQueryMemoryBytes));
        values.put(EXCHANGE.name(), Long.toString(exchangeBytes));
        values.put(SPILL.name(), Long.toString(maxSpillBytes));
        values.put(EXCHANGE_SPILL.name(), Long.toString(maxExchangeSpillBytes));
        values.put(QUERY_EXCHANGE_SPILL.name(), Long.toString(maxQueryExchangeSpillBytes));
        values.put(JARS.name(), Long.toString(maxJarBytes));
        values.put(READ_AHEAD.name(), Long.toString(readAheadBytes));
        values.put(RESULT_BUFFER.name(), Long.toString(resultBufferBytes));
        values.put(DISK_CACHE.name(), Long.toString(diskCacheBytes));
        values.put(
                DISK_CACHE_FOLDERS.name(),
                String.join(",", diskCacheFolders.stream().map(Path::toString).toList()));
        values.put("spill folder", spillFolder.toString());
        return values;
    }
}
