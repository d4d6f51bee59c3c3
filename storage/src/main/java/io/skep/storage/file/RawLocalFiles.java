package io.skep.storage.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/** Hadoop's raw local file system with status and permissions through java.nio, one system call each. */
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

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        try {
            PosixFileAttributes found = Files.readAttributes(pathToFile(path).toPath(), PosixFileAttributes.class);
            return new LocalStatus(
                    found, getDefaultBlockSize(path), path.makeQualified(getUri(), getWorkingDirectory()));
        } catch (NoSuchFileException | NotDirectoryException e) {
            FileNotFoundException missing = new FileNotFoundException("File " + path + " does not exist");
            missing.initCause(e);
            throw missing;
        }
    }

    /** Looks up the names of owner and group when somebody asks: each is read from the system's list of users. */
    private static final class LocalStatus extends FileStatus {
        private static final long serialVersionUID = 1L;

        private final transient PosixFileAttributes attributes;

        LocalStatus(PosixFileAttributes attributes, long blockSize, Path path) {
            super(
                    attributes.isDirectory() ? 0 : attributes.size(),
                    attributes.isDirectory(),
                    1,
                    blockSize,
                    attributes.lastModifiedTime().toMillis(),
                    attributes.lastAccessTime().toMillis(),
                    RawLocalFiles.permission(attributes.permissions()),
                    null,
                    null,
                    path);
            this.attributes = attributes;
        }

        @Override
        public String getOwner() {
            return attributes.owner().getName();
        }

        @Override
        public String getGroup() {
            return attributes.group().getName();
        }
    }

    private static FsPermission permission(Set<PosixFilePermission> set) {
        short mode = 0;
        for (int i = 0; i < BITS.length; i++) {
            mode |= (short) (set.contains(BITS[i]) ? 1 << i : 0);
        }
        return new FsPermission(mode);
    }
}
