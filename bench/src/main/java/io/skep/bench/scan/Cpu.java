package io.skep.bench.scan;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Measures CPU time, which does not depend on how many other processes share the cores. */
final class Cpu {
    private Cpu() {}

    /** Work that returns a number, so that it is not optimized away. */
    interface Work {
        long run() throws Exception;
    }

    /** The lowest CPU time of several runs, and the result of the last one. */
    record Best(double seconds, long result) {}

    /** Measures only the CPU time of this thread. */
    static Best best(int runs, Work work) throws Exception {
        double best = Double.MAX_VALUE;
        long result = 0;
        for (int i = 0; i < runs; i++) {
            long start = threadNanos();
            result = work.run();
            best = Math.min(best, (threadNanos() - start) / 1e9);
        }
        return new Best(best, result);
    }

    static long threadNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Returns the CPU time of all threads, including the collector's and the compiler's. */
    static long processNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
