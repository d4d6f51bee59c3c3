package io.skep.engine.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Batches on disk. Any number of threads may append batches and read each one by its position. If one thread has
 * written all batches, a {@link Reader} can read them in order. Each batch is a frame: length of the body (int), CRC32C
 * of the body (int), and the body as encoded by {@link BatchCodec}. Deleted by {@link #close}, which may be called from
 * any thread.
 */
public final class SpillFile implements AutoCloseable {
    private static final int FRAME_HEADER = 8;

    /** The maximum bytes of one call of the channel, because the channel copies them to off-heap memory. */
    private static final int MAX_TRANSFER = 256 << 10;

    private final SpillSpace space;
    private final Path path;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private volatile @Nullable FileChannel channel;

    @GuardedBy("lock")
    private boolean closed;

    final LongConsumer written;
    /** The bytes charged to the budgets. Guarded by the space's account. */
    long chargedBytes;

    SpillFile(SpillSpace space, Path path, LongConsumer written) {
        this.space = space;
        this.path = path;
        this.written = written;
    }

    void open() throws IOException {
        channel = PrivateFiles.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
    }

    public Path path() {
        return path;
    }

    public long bytes() {
        return bytes.get();
    }

    public long rows() {
        return rows.get();
    }

    /** Appends a batch. */
    public void add(Batch batch) {
        var _ = append(batch);
    }

    /** Appends a batch and returns its position. */
    public long append(Batch batch) {
        ByteBuffer body = BatchCodec.encodeToBuffer(batch);
        try {
            return append(body, batch.rowCount());
        } finally {
            ScratchMemory.discount(body.capacity());
        }
    }

    private long append(ByteBuffer body, int rowCount) {
        ByteBuffer header = ByteBuffer.allocate(FRAME_HEADER);
        header.putInt(body.remaining()).putInt(checksum(body)).flip();
        long frame = FRAME_HEADER + (long) body.remaining();
        space.grow(this, frame);
        long position = bytes.getAndAdd(frame);
        rows.addAndGet(rowCount);
        try {
            writeFully(header, position);
            writeFully(body, position + FRAME_HEADER);
        } catch (ClosedChannelException e) {
            throw isClosed();
        } catch (IOException e) {
            throw SpillSpace.failure(path, e);
        }
        return position;
    }

    private void writeFully(ByteBuffer buffer, long position) throws IOException {
        FileChannel target = channel();
        int end = buffer.limit();
        while (buffer.position() < end) {
            buffer.limit(Math.min(end, buffer.position() + MAX_TRANSFER));
            var _ = target.write(buffer, position + buffer.position());
        }
    }

    private FileChannel channel() {
        FileChannel open = channel;
        if (open == null) {
            throw isClosed();
        }
        return open;
    }

    SkepException isClosed() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "spill file " + path + " is closed");
    }

    /** Returns the batch that was appended at a position. */
    public Batch read(long position) {
        return decode(body(position));
    }

    private static Batch decode(byte[] body) {
        try {
            return BatchCodec.decode(body);
        } finally {
            ScratchMemory.discount(body.length);
        }
    }

    private byte[] body(long position) {
        ByteBuffer header = readFully(position, FRAME_HEADER);
        int length = header.getInt();
        int checksum = header.getInt();
        if (length < 0 || length > bytes.get() - position - FRAME_HEADER) {
            throw corrupt(position);
        }
        ScratchMemory.count(length);
        byte[] body = readFully(position + FRAME_HEADER, length).array();
        if (checksum(ByteBuffer.wrap(body)) != checksum) {
            throw corrupt(position);
        }
        return body;
    }

    private ByteBuffer readFully(long position, int count) {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        try {
            while (buffer.position() < count) {
                buffer.limit(Math.min(count, buffer.position() + MAX_TRANSFER));
                if (channel().read(buffer, position + buffer.position()) < 0) {
                    throw corrupt(position);
                }
            }
        } catch (ClosedChannelException e) {
            throw isClosed();
        } catch (IOException e) {
            throw SpillSpace.failure(path, e);
        }
        return buffer.flip();
    }

    private SkepException corrupt(long position) {
        return new SkepException(
                StandardErrorCode.CORRUPT_FILE, "spill file " + path + " is damaged at byte " + position);
    }

    /** Returns a reader that starts at the first batch. */
    public Reader read() {
        return new Reader();
    }

    /** One pass over the batches. */
    public final class Reader {
        private long position;

        private Reader() {}

        /** Returns the next batch, or null at the end. */
        public @Nullable Batch next() {
            if (position == bytes.get()) {
                return null;
            }
            byte[] body = body(position);
            position += FRAME_HEADER + body.length;
            return decode(body);
        }
    }

    private static int checksum(ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(body.duplicate());
        return (int) crc.getValue();
    }

    /** Deletes the file. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            FileChannel open = channel;
            channel = null;
            if (open != null) {
                open.close();
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw SpillSpace.failure(path, e);
        } finally {
            lock.unlock();
            space.forget(this);
        }
    }
}
