package io.skep.llap.server;

import io.skep.llap.server.cache.CacheSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * What a daemon holds at a moment.
 *
 * @param queries queries that have not ended
 * @param tasks live task attempts
 * @param runningSteps executors at work
 * @param queuedSteps steps that wait for an executor
 * @param reservedBytes heap that queries have reserved, rows between tasks included
 * @param exchangeBytes heap that rows between tasks hold
 * @param aheadBytes bytes read ahead and not yet consumed
 * @param pendingReads reads that wait or run
 * @param openReaders open files that are kept for later
 * @param leasedReaders open files in use
 * @param spillFiles files in the spill folder
 * @param leakedBytes what tasks had not given back when they ended, since the start
 */
public record DaemonSnapshot(
        int queries,
        int tasks,
        int runningSteps,
        int queuedSteps,
        long reservedBytes,
        long exchangeBytes,
        long aheadBytes,
        int pendingReads,
        int openReaders,
        int leasedReaders,
        long spillFiles,
        long leakedBytes,
        CacheSnapshot cache) {
    /** What is left although no query runs; empty when all is well. */
    public List<String> leftovers() {
        List<String> left = new ArrayList<>();
        note(left, "queries", queries);
        note(left, "tasks", tasks);
        note(left, "reserved bytes", reservedBytes);
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
