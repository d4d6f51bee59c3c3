package io.skep.tez;

import io.skep.llap.client.PartitionRange;
import java.nio.ByteBuffer;

/**
 * What a task reads of what its vertex gets, as the vertex manager tells it in an event. Broadcast rows are read by each task whole.
 *
 * @param partitions of the outputs that are partitioned
 */
record TaskInput(PartitionRange partitions) {
    ByteBuffer encode() {
        return ByteBuffer.allocate(2 * Integer.BYTES)
                .putInt(partitions.first())
                .putInt(partitions.count())
                .flip();
    }

    static TaskInput decode(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.duplicate();
        return new TaskInput(new PartitionRange(bytes.getInt(), bytes.getInt()));
    }
}
