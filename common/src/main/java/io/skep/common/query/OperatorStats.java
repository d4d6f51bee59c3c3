package io.skep.common.query;

import java.util.ArrayList;
import java.util.List;

/**
 * What the tasks of a fragment did in one operator of its plan. Operators are told apart by their position in the
 * fragment: an operator comes before its inputs, and inputs come from left to right.
 *
 * @param tasks tasks that ran the operator; 0 if another one does its work, such as a projection that filters too
 * @param outputRows rows that it passed on
 * @param nanos executor time
 * @param peakMemoryBytes the largest memory of each of its drivers, added up. The first 256 KB of a driver, and the
 *     buffers of files that scans read, do not count
 * @param spilledBytes bytes written to spill files
 * @param scannedRows rows that a scan has read, before its filters
 * @param rowGroupsSkipped row groups that a scan did not have to read
 * @param bytesRead bytes that a scan has read from files
 * @param cacheHitBytes bytes that a scan has found in the cache, as decoded
 */
public record OperatorStats(
        long tasks,
        long outputRows,
        long nanos,
        long peakMemoryBytes,
        long spilledBytes,
        long scannedRows,
        long rowGroupsSkipped,
        long bytesRead,
        long cacheHitBytes) {
    /** The statistics of an operator that no task has run. */
    public static final OperatorStats NONE = new OperatorStats(0, 0, 0, 0, 0, 0, 0, 0, 0);

    public OperatorStats plus(OperatorStats other) {
        return new OperatorStats(
                tasks + other.tasks,
                outputRows + other.outputRows,
                nanos + other.nanos,
                peakMemoryBytes + other.peakMemoryBytes,
                spilledBytes + other.spilledBytes,
                scannedRows + other.scannedRows,
                rowGroupsSkipped + other.rowGroupsSkipped,
                bytesRead + other.bytesRead,
                cacheHitBytes + other.cacheHitBytes);
    }

    /** Adds up the operators of two tasks of the same fragment. A task that has done nothing reports none. */
    public static List<OperatorStats> sum(List<OperatorStats> left, List<OperatorStats> right) {
        List<OperatorStats> sums = new ArrayList<>(left.size() < right.size() ? right : left);
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            sums.set(i, left.get(i).plus(right.get(i)));
        }
        return List.copyOf(sums);
    }
}
