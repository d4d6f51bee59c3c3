package io.skep.bench.scan;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU time: what cores took, however many others share them. */
final class Cpu {
    private Cpu() {}

    /** Work that gives a number, which is thereby not optimized away. */
    interface Work {
        long run() throws Exception;
    }

    /** The cheapest of some runs, and the number that the last one gave. */
    record Best(double seconds, long result) {}

    /** Of this thread alone. */
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

    /** Of all threads, the collector's and the compiler's among them. */
    static long processNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
