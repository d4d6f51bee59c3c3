package io.skep.spark;

import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalWrite;
import io.skep.reader.PartWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.execution.arrow.ArrowWriter;
import org.jspecify.annotations.Nullable;

/**
 * Sends the rows of one attempt of a task to the server, by Spark's own conversion to Arrow. The connection is opened
 * for the first batch, so that a task which sorts for long before holds none. Used by one thread.
 */
final class SkepDataWriter implements DataWriter<InternalRow> {
    private static final int MAX_ROWS = 4096;

    /** A batch has less than the server takes, since decimals are longer in Arrow than in Spark's rows. */
    private static final int BATCH_BYTES = PartWriter.MAX_MESSAGE_BYTES / 3;

    /** Rows of another form are measured after that many. */
    private static final int MEASURED_ROWS = 16;

    private final ExternalWrite write;
    private final Optional<Path> trust;
    private final WallClock clock;
    private final BufferAllocator memory = new RootAllocator();
    private final VectorSchemaRoot root;
    private final ArrowWriter arrow;
    private @Nullable PartWriter part;
    private int rows;
    private long bytes;
    private boolean closed;

    /** @param trust file with the authorities that certify servers */
    SkepDataWriter(ExternalWrite write, Optional<Path> trust, WallClock clock) {
        this.write = write;
        this.trust = trust;
        this.clock = clock;
        this.root = VectorSchemaRoot.create(write.arrowSchema(), memory);
        this.arrow = ArrowWriter.create(root);
    }

    @Override
    public void write(InternalRow row) {
        long length = row instanceof UnsafeRow known ? known.getSizeInBytes() : 0;
        if (rows > 0 && bytes + length > BATCH_BYTES) {
            send();
        }
        arrow.write(row);
        rows++;
        bytes += length;
        if (length == 0 && rows % MEASURED_ROWS == 0) {
            // Spark's own method for it returns int or long, depending on the release.
            bytes = root.getFieldVectors().stream()
                    .mapToLong(vector -> vector.getBufferSizeFor(rows))
                    .sum();
        }
        if (rows == MAX_ROWS) {
            send();
        }
    }

    private void send() {
        PartWriter open = part;
        if (open == null) {
            open = new PartWriter(write, root, new ExternalReader(memory, trust), memory);
            part = open;
        }
        arrow.finish();
        root.getFieldVectors().forEach(clock::toWallClocks);
        open.send();
        arrow.reset();
        rows = 0;
        bytes = 0;
    }

    @Override
    public WriterCommitMessage commit() {
        if (rows > 0) {
            send();
        }
        PartWriter open = part;
        return new SkepPart(open == null ? 0 : open.finish().number());
    }

    /** The server forgets a part that is not finished, and one whose number Spark does not name at the end. */
    @Override
    public void abort() {
        close();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        PartWriter open = part;
        try (memory;
                root) {
            if (open != null) {
                open.close();
            }
        }
    }
}
