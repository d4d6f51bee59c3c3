package io.skep.engine.spill;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of batches on disk: written once by one thread, then read by any number of {@link Reader}s. Each batch is a
 * frame: length of the body (int), CRC32C of the body (int), body as {@link BatchCodec} makes it. Deleted by {@link #close},
 * which may come from any thread.
 */
public final class SpillFile implements AutoCloseable {
    private static final int FRAME_HEADER = 8;

    private final SpillSpace space;
    private final Path path;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable FileChannel channel;
    private long bytes;
    private long rows;
    private boolean closed;

    SpillFile(SpillSpace space, Path path) {
        this.space = space;
        this.path = path;
    }

    void open() throws IOException {
        channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
    }

    public Path path() {
        return path;
    }

    public long bytes() {
        return bytes;
    }

    public long rows() {
        return rows;
    }

    /** Appends a batch. */
    public void add(Batch batch) {
        byte[] body = BatchCodec.encode(batch);
        ByteBuffer header = ByteBuffer.allocate(FRAME_HEADER);
        header.putInt(body.length).putInt(checksum(body)).flip();
        space.grow(this, FRAME_HEADER + body.length);
        bytes += FRAME_HEADER + body.length;
        rows += batch.rowCount();
        try {
            writeFully(header);
            writeFully(ByteBuffer.wrap(body));
        } catch (IOException e) {
            throw SpillSpace.failure(path, e);
        }
    }

    private void writeFully(ByteBuffer buffer) throws IOException {
        FileChannel target = channel();
        while (buffer.hasRemaining()) {
            target.write(buffer);
        }
    }

    private FileChannel channel() {
        FileChannel open = channel;
        if (open == null) {
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "spill file " + path + " is closed");
        }
        return open;
    }

    /** Reads from the first batch on. */
    public Reader read() {
        return new Reader();
    }

    /** One pass over the batches. */
    public final class Reader {
        private long position;

        private Reader() {}

        /** The next batch, or null at the end. */
        public @Nullable Batch next() {
            if (position == bytes) {
                return null;
            }
            try {
                ByteBuffer header = readFully(FRAME_HEADER);
                int length = header.getInt();
                int checksum = header.getInt();
                if (length < 0 || length > bytes - position) {
                    throw corrupt();
                }
                byte[] body = readFully(length).array();
                if (checksum(body) != checksum) {
                    throw corrupt();
                }
                return BatchCodec.decode(body);
            } catch (IOException e) {
                throw SpillSpace.failure(path, e);
            }
        }

        private ByteBuffer readFully(int count) throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(count);
            while (buffer.hasRemaining()) {
                int read = channel().read(buffer, position);
                if (read < 0) {
                    throw corrupt();
                }
                position += read;
            }
            return buffer.flip();
        }

        private SkepException corrupt() {
            return new SkepException(
                    StandardErrorCode.CORRUPT_FILE, "spill file " + path + " is damaged before byte " + position);
        }
    }

    private static int checksum(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body, 0, body.length);
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
            if (channel != null) {
                channel.close();
                channel = null;
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw SpillSpace.failure(path, e);
        } finally {
            lock.unlock();
            space.forget(this, bytes);
        }
    }
}
