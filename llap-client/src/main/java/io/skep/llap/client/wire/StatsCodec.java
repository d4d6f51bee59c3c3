package io.skep.llap.client.wire;

import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.ValueReport;

/** Encodes the statistics of tasks and the status of daemons. */
final class StatsCodec {
    private StatsCodec() {}

    static DaemonProto.TaskStats write(TaskStats stats) {
        return DaemonProto.TaskStats.newBuilder()
                .setOutputRows(stats.outputRows())
                .addAllOperatorNanos(stats.times().nanos())
                .setPeakMemoryBytes(stats.peakMemoryBytes())
                .setSpilledBytes(stats.spilledBytes())
                .setScannedRows(stats.scannedRows())
                .setRowGroupsRead(stats.rowGroupsRead())
                .setRowGroupsSkipped(stats.rowGroupsSkipped())
                .setBytesRead(stats.bytesRead())
                .setCacheHitBytes(stats.cacheHitBytes())
                .setCacheMissBytes(stats.cacheMissBytes())
                .setIoNanos(stats.ioNanos())
                .setOutputSizes(Messages.wrap(stats.output().encode()))
                .setValues(Messages.wrap(stats.values().encoded()))
                .addAllOperators(
                        stats.operators().stream().map(StatsCodec::write).toList())
                .build();
    }

    static TaskStats read(DaemonProto.TaskStats stats) {
        return new TaskStats(
                stats.getOutputRows(),
                new OperatorTimes(stats.getOperatorNanosList()),
                stats.getOperatorsList().stream().map(StatsCodec::read).toList(),
                stats.getPeakMemoryBytes(),
                stats.getSpilledBytes(),
                stats.getScannedRows(),
                stats.getRowGroupsRead(),
                stats.getRowGroupsSkipped(),
                stats.getBytesRead(),
                stats.getCacheHitBytes(),
                stats.getCacheMissBytes(),
                stats.getIoNanos(),
                PartitionSizes.decode(stats.getOutputSizes().toByteArray()),
                new ValueReport(stats.getValues().toByteArray()));
    }

    private static DaemonProto.OperatorStats write(OperatorStats stats) {
        return DaemonProto.OperatorStats.newBuilder()
                .setTasks(stats.tasks())
                .setOutputRows(stats.outputRows())
                .setNanos(stats.nanos())
                .setPeakMemoryBytes(stats.peakMemoryBytes())
                .setSpilledBytes(stats.spilledBytes())
                .setScannedRows(stats.scannedRows())
                .setRowGroupsSkipped(stats.rowGroupsSkipped())
                .setBytesRead(stats.bytesRead())
                .setCacheHitBytes(stats.cacheHitBytes())
                .build();
    }

    private static OperatorStats read(DaemonProto.OperatorStats stats) {
        return new OperatorStats(
                stats.getTasks(),
                stats.getOutputRows(),
                stats.getNanos(),
                stats.getPeakMemoryBytes(),
                stats.getSpilledBytes(),
                stats.getScannedRows(),
                stats.getRowGroupsSkipped(),
                stats.getBytesRead(),
                stats.getCacheHitBytes());
    }

    static DaemonProto.Status write(DaemonStatus status) {
        return DaemonProto.Status.newBuilder()
                .setBusy(status.busy())
                .setQueuedSteps(status.queuedSteps())
                .setQueries(status.queries())
                .setTasks(status.tasks())
                .setReservedBytes(status.reservedBytes())
                .setMemoryBytes(status.memoryBytes())
                .setCacheBytes(status.cacheBytes())
                .setCacheCapacityBytes(status.cacheCapacityBytes())
                .setCacheHits(status.cacheHits())
                .setCacheMisses(status.cacheMisses())
                .build();
    }

    static DaemonStatus read(DaemonProto.Status status) {
        return new DaemonStatus(
                Messages.count(status.getBusy()),
                Messages.count(status.getQueuedSteps()),
                Messages.count(status.getQueries()),
                Messages.count(status.getTasks()),
                status.getReservedBytes(),
                status.getMemoryBytes(),
                status.getCacheBytes(),
                status.getCacheCapacityBytes(),
                status.getCacheHits(),
                status.getCacheMisses());
    }
}
