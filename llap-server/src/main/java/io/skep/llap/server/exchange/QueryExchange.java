package io.skep.llap.server.exchange;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.engine.exchange.TaskOutput;
import io.skep.engine.spill.SpillSpace;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.server.executor.IoPool;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The outputs of one query's tasks in this daemon. Thread-safe. */
public final class QueryExchange {
    private final MemoryPool memory;
    private final SpillSpace spill;
    private final IoPool io;
    private final Map<TaskAttemptId, OutputBuffer> outputs = new ConcurrentHashMap<>();
    private volatile @Nullable SkepException ended;

    /**
     * @param memory account of rows in memory; the owner closes it
     * @param spill space for the other rows; the owner closes it
     */
    public QueryExchange(MemoryPool memory, SpillSpace spill, IoPool io) {
        this.memory = memory;
        this.spill = spill;
        this.io = io;
    }

    /** Begins a task's output, which the task then fills. */
    public TaskOutput begin(TaskAttemptId id, OutputConfig config) {
        OutputBuffer buffer = buffer(id);
        buffer.begin(config);
        return buffer;
    }

    /** Opens a partition for reading, 0 for a broadcast output. The task may not have begun yet. */
    public LogReader open(TaskAttemptId id, int partition) {
        return buffer(id).reader(partition);
    }

    /**
     * Returns the partition sizes of a complete output. There are none for an output that is not retained, is a
     * broadcast, or has one partition.
     */
    public PartitionSizes sizes(TaskAttemptId id) {
        return buffer(id).sizes();
    }

    private OutputBuffer buffer(TaskAttemptId id) {
        OutputBuffer buffer = outputs.computeIfAbsent(id, ignored -> new OutputBuffer(memory, spill, io));
        SkepException reason = ended;
        if (reason != null) {
            buffer.close(reason);
        }
        return buffer;
    }

    /** Marks the output as failed. Its readers fail with the reason. */
    public void fail(TaskAttemptId id, SkepException reason) {
        buffer(id).fail(reason);
    }

    /** Drops an output whose rows must not be read, for example that of an abandoned attempt. */
    public void discard(TaskAttemptId id) {
        OutputBuffer buffer = outputs.remove(id);
        if (buffer != null) {
            buffer.close(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the task attempt was given up"));
        }
    }

    /** Frees all outputs, including those that are requested later. */
    public void end(SkepException reason) {
        ended = reason;
        outputs.values().forEach(buffer -> buffer.close(reason));
    }
}
