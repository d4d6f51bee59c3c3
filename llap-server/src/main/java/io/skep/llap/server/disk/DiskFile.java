package io.skep.llap.server.disk;

import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The file of a volume. It exists only as long as this object: an older file is deleted at creation, and this file is
 * deleted on close. Any number of threads read and write it concurrently at any position.
 */
final class DiskFile implements AutoCloseable {
    /** The limit of one read into the heap, which goes through memory outside the heap. */
    private static final int MAX_TRANSFER = 256 << 10;

    private final Path path;
    private final FileChannel channel;

    private DiskFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** @throws IOException also when the folder does not exist */
    static DiskFile create(Path path) throws IOException {
        Files.deleteIfExists(path);
        return new DiskFile(
                path,
                PrivateFiles.open(
                        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** Writes all remaining bytes. */
    void write(ByteBuffer bytes, long at) throws IOException {
        long end = at;
        while (bytes.hasRemaining()) {
            end += channel.write(bytes, end);
        }
    }

    /** Reads this number of bytes. Returns null when the file is shorter. */
    byte @Nullable [] read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.position() < length) {
            bytes.limit(Math.min(length, bytes.position() + MAX_TRANSFER));
            if (channel.read(bytes, at + bytes.position()) < 0) {
                return null;
            }
        }
        return bytes.array();
    }

    /** Deletes the file. Concurrent reads and writes fail with an error. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
