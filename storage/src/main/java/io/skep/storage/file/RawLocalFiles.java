package io.skep.storage.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/** Hadoop's raw local file system, which reads status and permissions through java.nio with one system call each. */
final class RawLocalFiles extends RawLocalFileSystem {
    private static final PosixFilePermission[] BITS = {
        PosixFilePermission.OTHERS_EXECUTE,
        PosixFilePermission.OTHERS_WRITE,
        PosixFilePermission.OTHERS_READ,
        PosixFilePermission.GROUP_EXECUTE,
        PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.GROUP_READ,
        PosixFilePermission.OWNER_EXECUTE,
        PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.OWNER_READ
    };

    @Override
    protected OutputStream createOutputStream(Path path, boolean append) throws IOException {
        return new LocalOutput(super.createOutputStream(path, append));
    }

    @Override
    protected OutputStream createOutputStreamWithMode(Path path, boolean append, FsPermission permission)
            throws IOException {
        return new LocalOutput(super.createOutputStreamWithMode(path, append, permission));
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        Set<PosixFilePermission> set = PosixFilePermissions.fromString("---------");
        short mode = permission.toShort();
        for (int i = 0; i < BITS.length; i++) {
            if ((mode >> i & 1) != 0) {
                set.add(BITS[i]);
            }
        }
        Files.setPosixFilePermissions(pathToFile(path).toPath(), set);
    }

    /** Hadoop's implementation returns a single file as another status class. */
    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        FileStatus[] found = super.listStatus(path);
        for (int i = 0; i < found.length; i++) {
            if (!(found[i] instanceof LocalStatus)) {
                found[i] = getFileStatus(found[i].getPath());
            }
        }
        return found;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        try {
            java.nio.file.Path local = pathToFile(path).toPath();
            Map<String, Object> found = Files.readAttributes(local, LocalStatus.ATTRIBUTES);
            return new LocalStatus(
                    local, found, getDefaultBlockSize(path), path.makeQualified(getUri(), getWorkingDirectory()));
        } catch (NoSuchFileException | NotDirectoryException | InvalidPathException e) {
            FileNotFoundException missing = new FileNotFoundException("File " + path + " does not exist");
            missing.initCause(e);
            throw missing;
        }
    }
}
