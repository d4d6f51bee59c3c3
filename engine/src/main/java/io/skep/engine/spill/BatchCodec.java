package io.skep.engine.spill;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches as bytes, for spill files, exchange files and the wire; format 1, little endian.
 *
 * <pre>
 * batch   := version (byte) rows (int) columns (int) vector*
 * vector  := tag (byte) length (int) nulls payload
 * nulls   := 0 (byte) | 1 (byte) word (long) for each 64 rows
 * integers:= width in bytes: 0, 1, 2, 4, 8 (byte) base (long) difference to base, unsigned, in that width, for each row
 * LONG    := integers            DOUBLE  := raw bits (long) for each row
 * BYTES   := lengths (integers) bytes of all rows, one behind the other
 * DECIMAL128 := high (integers) low (long) for each row
 * TIMESTAMP  := seconds (integers) nanos (integers)
 * LIST    := lengths (integers) elements (vector)      MAP   := lengths (integers) keys (vector) values (vector)
 * STRUCT  := count (int) field (vector)*
 * UNION   := count (int) tags (byte for each row) alternative (vector)*
 * DICTIONARY := ids (integers) dictionary (vector)     CONSTANT := value (vector of one row)
 * </pre>
 */
public final class BatchCodec {
    private static final byte VERSION = 1;

    private BatchCodec() {}

    /** @throws SkepException (MEMORY_LIMIT_EXCEEDED) if there is no memory for the bytes */
    public static byte[] encode(Batch batch) {
        return write(batch).toByteArray();
    }

    /** Encodes a batch to a buffer that starts at the first byte of its array, which may be longer. */
    static ByteBuffer encodeToBuffer(Batch batch) {
        return write(batch).written();
    }

    private static VectorWriter write(Batch batch) {
        VectorWriter writer = new VectorWriter((int) Math.min(1 << 20, batch.retainedBytes() + 64));
        writer.putByte(VERSION);
        writer.putInt(batch.rowCount());
        writer.putInt(batch.columnCount());
        for (Vector column : batch.columns()) {
            writer.vector(column);
        }
        return writer;
    }

    /** @throws SkepException (CORRUPT_FILE) if the bytes are not a batch */
    public static Batch decode(byte[] bytes) {
        return decode(bytes, 0, bytes.length);
    }

    public static Batch decode(byte[] bytes, int offset, int length) {
        try {
            VectorReader reader = new VectorReader(bytes, offset, length);
            byte version = reader.getByte();
            if (version != VERSION) {
                throw new SkepException(StandardErrorCode.CORRUPT_FILE, "batch of unknown format " + version);
            }
            int rows = reader.getInt();
            int columns = reader.getInt();
            List<Vector> vectors = new ArrayList<>();
            for (int i = 0; i < columns; i++) {
                vectors.add(reader.vector());
            }
            return new Batch(vectors, rows);
        } catch (BufferUnderflowException
                | StackOverflowError
                | NegativeArraySizeException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | ArithmeticException e) {
            throw new SkepException(StandardErrorCode.CORRUPT_FILE, "the bytes of a batch are damaged", e);
        }
    }
}
