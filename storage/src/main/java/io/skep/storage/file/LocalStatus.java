package io.skep.storage.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The status of a local file or folder, read with one system call. The names of owner and group are resolved only on
 * request, because each one is read from the system's list of users.
 */
final class LocalStatus extends FileStatus implements FileIdentity.Known {
    /**
     * Users cannot set the change time. Therefore it also reveals a rewrite in place that restores the modification
     * time.
     */
    static final String ATTRIBUTES = "unix:mode,ino,ctime,size,lastModifiedTime,lastAccessTime,isDirectory";

    private static final long serialVersionUID = 1L;
    private static final int PERMISSION_BITS = 0777;

    private final transient java.nio.file.Path file;
    private final long identity;

    /** @param found the values of {@link #ATTRIBUTES} */
    LocalStatus(java.nio.file.Path file, Map<String, Object> found, long blockSize, Path path) {
        super(
                folder(found) ? 0 : number(found, "size"),
                folder(found),
                1,
                blockSize,
                time(found, "lastModifiedTime").toMillis(),
                time(found, "lastAccessTime").toMillis(),
                new FsPermission((short) (number(found, "mode") & PERMISSION_BITS)),
                null,
                null,
                path);
        this.file = file;
        this.identity = identity(found);
    }

    static long identity(Map<String, Object> found) {
        return FileIdentity.of(
                number(found, "ino"),
                time(found, "ctime").to(TimeUnit.NANOSECONDS),
                time(found, "lastModifiedTime").to(TimeUnit.NANOSECONDS));
    }

    static boolean folder(Map<String, Object> found) {
        return Boolean.TRUE.equals(found.get("isDirectory"));
    }

    static long number(Map<String, Object> found, String name) {
        return ((Number) Objects.requireNonNull(found.get(name), name)).longValue();
    }

    static FileTime time(Map<String, Object> found, String name) {
        return (FileTime) Objects.requireNonNull(found.get(name), name);
    }

    @Override
    public long identity() {
        return identity;
    }

    @Override
    public String getOwner() {
        return attributes().owner().getName();
    }

    @Override
    public String getGroup() {
        return attributes().group().getName();
    }

    private PosixFileAttributes attributes() {
        try {
            return Files.readAttributes(file, PosixFileAttributes.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
