package io.skep.metastore.database;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The folder with the data of one embedded server. It belongs to one process at a time. The process holds an advisory
 * lock on a file in the folder until it closes the folder or terminates in any way.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK_FILE = "server.lock";
    private static final String ID_FILE = "server.id";

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates the folder if necessary and acquires its lock. Fails with DATA_DIRECTORY_IN_USE when another process
     * holds the lock.
     */
    public static DataDirectory open(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            PrivateFiles.createDirectories(path);
            FileChannel channel = PrivateFiles.open(
                    path.resolve(LOCK_FILE),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            return lock(path, channel);
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot open the data directory " + path + ": " + e, e);
        }
    }

    private static DataDirectory lock(Path path, FileChannel channel) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            String holder = holder(channel);
            channel.close();
            throw inUse(path, holder);
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)), 0);
        return new DataDirectory(path, channel);
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(32);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    }

    private static SkepException inUse(Path path, String holder) {
        String who = holder.isEmpty() ? "another process" : "process " + holder;
        return new SkepException(
                        StandardErrorCode.DATA_DIRECTORY_IN_USE, "the data directory " + path + " is in use by " + who)
                .withHint("stop that server, or start this one with another data directory");
    }

    public Path path() {
        return path;
    }

    /** Returns the id that distinguishes this folder, and so its server, from all others. It stays with the folder. */
    public String id() {
        Path file = path.resolve(ID_FILE);
        try {
            if (!Files.exists(file)) {
                Path partial = path.resolve(ID_FILE + ".partial");
                Files.writeString(
                        PrivateFiles.create(partial), UUID.randomUUID().toString());
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot read or write the data directory's " + file, e);
        }
    }

    /** Returns the path of a part of the data, without creating it. */
    public Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
