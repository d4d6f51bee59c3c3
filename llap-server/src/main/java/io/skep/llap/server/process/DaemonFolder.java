package io.skep.llap.server.process;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A daemon's folder, which belongs to one process at a time. The process holds a lock on a file in the folder until it
 * ends, however it ends. The file {@code daemon.properties} shows the other commands where the daemon is.
 */
final class DaemonFolder implements AutoCloseable {
    private static final String LOCK = "daemon.lock";
    private static final String NOTE = "daemon.properties";

    private final Path path;
    private final FileChannel channel;

    private DaemonFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** @throws SkepException DATA_DIRECTORY_IN_USE when another process holds the folder */
    static DaemonFolder open(Path path) {
        try {
            PrivateFiles.createDirectories(path);
            FileChannel channel =
                    PrivateFiles.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new SkepException(
                                StandardErrorCode.DATA_DIRECTORY_IN_USE,
                                "the folder " + path + " is in use by another daemon")
                        .withHint("stop that daemon, or give this one a folder of its own with --data");
            }
            return new DaemonFolder(path, channel);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Writes the properties that the other commands read. */
    void note(Map<String, String> what) {
        Properties properties = new Properties();
        properties.putAll(what);
        Path partial = path.resolve(NOTE + ".partial");
        try (Writer writer = Files.newBufferedWriter(PrivateFiles.create(partial))) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw failed(e);
        }
        try {
            Files.move(partial, path.resolve(NOTE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "cannot use the daemon's folder: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path.resolve(NOTE));
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
