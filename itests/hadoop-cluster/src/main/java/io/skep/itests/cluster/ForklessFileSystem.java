package io.skep.itests.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system without a process for each permission and each link. Without its native library Hadoop runs
 * {@code chmod} and {@code readlink}, some nine times for each file that a node manager fetches, which is most of the
 * time until a container starts.
 */
final class ForklessFileSystem extends RawLocalFileSystem {
    /** In the order of a mode's bits, the lowest first. */
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
    public void setPermission(Path path, FsPermission permission) throws IOException {
        if (permission.getStickyBit()) {
            super.setPermission(path, permission);
            return;
        }
        Set<PosixFilePermission> wanted = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < BITS.length; bit++) {
            if ((permission.toShort() >> bit & 1) == 1) {
                wanted.add(BITS[bit]);
            }
        }
        Files.setPosixFilePermissions(pathToFile(path).toPath(), wanted);
    }

    @Override
    public FileStatus getFileLinkStatus(Path path) throws IOException {
        return Files.isSymbolicLink(pathToFile(path).toPath()) ? super.getFileLinkStatus(path) : getFileStatus(path);
    }
}
