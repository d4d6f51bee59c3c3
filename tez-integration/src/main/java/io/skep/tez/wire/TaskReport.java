package io.skep.tez.wire;

import io.skep.engine.filter.ColumnValues;
import io.skep.engine.plan.codec.ColumnValuesCodec;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.ValueReport;
import java.nio.ByteBuffer;
import java.util.Map;

/** A report from a finished task to vertex managers. */
public sealed interface TaskReport {
    /** The sizes of the partitions of its output. */
    record Sizes(PartitionSizes sizes) implements TaskReport {}

    /** The values in columns of its output, by column. */
    record Values(Map<Integer, ColumnValues> columns) implements TaskReport {}

    static ByteBuffer encode(PartitionSizes sizes) {
        return encode(Kind.SIZES, sizes.encode());
    }

    static ByteBuffer encode(ValueReport values) {
        return encode(Kind.VALUES, values.encoded());
    }

    private static ByteBuffer encode(Kind kind, byte[] content) {
        return ByteBuffer.allocate(1 + content.length)
                .put((byte) kind.ordinal())
                .put(content)
                .flip();
    }

    static TaskReport decode(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.duplicate();
        Kind kind = Kind.values()[bytes.get()];
        byte[] content = new byte[bytes.remaining()];
        bytes.get(content);
        return switch (kind) {
            case SIZES -> new Sizes(PartitionSizes.decode(content));
            case VALUES -> new Values(ColumnValuesCodec.decode(content));
        };
    }

    /** The first byte of a message. */
    enum Kind {
        SIZES,
        VALUES
    }
}
