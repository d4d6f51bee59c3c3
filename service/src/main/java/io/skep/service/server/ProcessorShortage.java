package io.skep.service.server;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Whether this process waits for processors that other processes use. This holds when its threads have waited to run
 * for at least half of the time since the last call, while the process itself used less than half of the processors.
 * Reads Linux's statistics of each thread. On other systems the result is always false. Not thread-safe.
 */
final class ProcessorShortage implements BooleanSupplier {
    private static final Path THREADS = Path.of("/proc/self/task");

    /** Values in nanoseconds since the process began. */
    record Reading(long time, long cpu, long waited) {}

    private Reading last = read();

    @Override
    public boolean getAsBoolean() {
        Reading now = read();
        boolean isShort = isShort(last, now, Runtime.getRuntime().availableProcessors());
        last = now;
        return isShort;
    }

    static boolean isShort(Reading before, Reading after, int processors) {
        long elapsed = after.time() - before.time();
        return after.waited() - before.waited() > elapsed / 2 && after.cpu() - before.cpu() < elapsed * processors / 2;
    }

    private static Reading read() {
        long cpu =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
        return new Reading(System.nanoTime(), cpu, waited());
    }

    /**
     * Returns the wait time of the live threads. The time of a terminated thread is lost, so a shortage may be missed.
     */
    private static long waited() {
        long waited = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                waited += waited(thread.resolve("schedstat"));
            }
        } catch (IOException e) {
            return 0;
        }
        return waited;
    }

    /** The second value is the time on a run queue. */
    private static long waited(Path stats) throws IOException {
        try {
            return Long.parseLong(Files.readString(stats).split(" ")[1]);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
