package io.skep.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;

/**
 * A 64-bit value that distinguishes two contents of equal length and modification time. It is derived from the inode
 * and change time of a local file, the entity tag of an object store, or the file id within HDFS's path handles.
 */
final class FileIdentity {
    /** No identity is known. */
    static final long NONE = 0;

    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** A file status that provides its own identity. */
    interface Known {
        long identity();
    }

    private FileIdentity() {}

    static long of(FileSystem fileSystem, FileStatus status) throws IOException {
        if (status.isDirectory()) {
            return NONE;
        }
        if (status instanceof Known known) {
            return known.identity();
        }
        if (status instanceof EtagSource source && source.getEtag() != null) {
            return of(ByteBuffer.wrap(source.getEtag().getBytes(StandardCharsets.UTF_8)));
        }
        return fileSystem.hasPathCapability(status.getPath(), CommonPathCapabilities.FS_PATHHANDLES)
                ? ofHandle(fileSystem, status)
                : NONE;
    }

    /** Mounts of other file systems report that these support path handles, but do not return the handles. */
    private static long ofHandle(FileSystem fileSystem, FileStatus status) throws IOException {
        try {
            return of(
                    fileSystem.getPathHandle(status, Options.HandleOpt.exact()).bytes());
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return NONE;
        }
    }

    private static long of(ByteBuffer bytes) {
        long hash = bytes.remaining();
        while (bytes.hasRemaining()) {
            hash = mix(hash, bytes.get());
        }
        return known(hash);
    }

    /** Combines several values into one identity. */
    static long of(long first, long second, long third) {
        return known(mix(mix(mix(SPREAD, first), second), third));
    }

    private static long mix(long hash, long value) {
        long mixed = (hash ^ value) * SPREAD;
        mixed = (mixed ^ mixed >>> 32) * SPREAD;
        return mixed ^ mixed >>> 29;
    }

    private static long known(long hash) {
        return hash == NONE ? 1 : hash;
    }
}
