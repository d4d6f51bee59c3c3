package io.skep.llap.client.wire;

import io.skep.common.query.OperatorTimes;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.ValueReport;

/** Encodes the statistics of tasks and the status of daemons. */
final class StatsCodec {
    private StatsCodec() {}

    static void write(WireWriter out, TaskStats stats) {
        out.number(stats.outputRows())
                .all(stats.times().nanos(), out::number)
                .number(stats.peakMemoryBytes())
                .number(stats.spilledBytes())
                .number(stats.scannedRows())
                .number(stats.rowGroupsRead())
                .number(stats.rowGroupsSkipped())
                .number(stats.bytesRead())
                .number(stats.cacheHitBytes())
                .number(stats.cacheMissBytes())
                .number(stats.ioNanos())
                .bytes(stats.output().encode())
                .bytes(stats.values().encoded());
    }

    static TaskStats readFigures(WireReader in) {
        return new TaskStats(
                in.number(),
                new OperatorTimes(in.all(in::number)),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                PartitionSizes.decode(in.bytes()),
                new ValueReport(in.bytes()));
    }

    static void write(WireWriter out, DaemonStatus status) {
        out.number(status.busy())
                .number(status.queuedSteps())
                .number(status.queries())
                .number(status.tasks())
                .number(status.reservedBytes())
                .number(status.memoryBytes())
                .number(status.cacheBytes())
                .number(status.cacheCapacityBytes())
                .number(status.cacheHits())
                .number(status.cacheMisses());
    }

    static DaemonStatus readStatus(WireReader in) {
        return new DaemonStatus(
                in.count(),
                in.count(),
                in.count(),
                in.count(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number());
    }
}
