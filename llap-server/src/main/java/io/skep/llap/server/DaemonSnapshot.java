package io.skep.llap.server;

import io.skep.llap.server.cache.CacheSnapshot;
import io.skep.llap.server.executor.ExecutorStats;
import java.util.ArrayList;
import java.util.List;

/**
 * What a daemon holds at one point in time.
 *
 * @param queries queries that have not ended
 * @param tasks live task attempts
 * @param executors threads that run steps
 * @param reservedBytes heap that queries have reserved, including rows between tasks
 * @param lostBytes heap of tasks that have ended; threads that have not returned may still hold it
 * @param exchangeBytes heap that rows between tasks hold
 * @param aheadBytes bytes read ahead and not yet consumed
 * @param pendingReads reads that wait or run
 * @param overdueReads reads that have run long enough that their disk or server seems to hang
 * @param openReaders open files that are kept for later use
 * @param leasedReaders open files in use
 * @param spillFiles files in the spill folder
 * @param leakedBytes bytes that tasks had not released when they ended, since the start
 */
public record DaemonSnapshot(
        int queries,
        int tasks,
        ExecutorStats executors,
        long reservedBytes,
        long lostBytes,
        long exchangeBytes,
        long aheadBytes,
        int pendingReads,
        int overdueReads,
        int openReaders,
        int leasedReaders,
        long spillFiles,
        long leakedBytes,
        CacheSnapshot cache) {
    /** Lists the resources that are still held although no query runs. Empty when nothing has leaked. */
    public List<String> leftovers() {
        List<String> left = new ArrayList<>();
        note(left, "queries", queries);
        note(left, "tasks", tasks);
        note(left, "reserved bytes", reservedBytes);
        note(left, "threads written off", executors.writtenOff());
        note(left, "bytes of threads written off", lostBytes);
        note(left, "bytes read ahead", aheadBytes);
        note(left, "pending reads", pendingReads);
        note(left, "leased readers", leasedReaders);
        note(left, "pinned chunks", cache.pins());
        note(left, "spill files", spillFiles);
        note(left, "leaked bytes", leakedBytes);
        return left;
    }

    private static void note(List<String> left, String what, long count) {
        if (count != 0) {
            left.add(count + " " + what);
        }
    }
}
