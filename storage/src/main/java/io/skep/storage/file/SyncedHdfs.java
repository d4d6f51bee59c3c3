package io.skep.storage.file;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;

/**
 * HDFS whose DataNodes force each block of a new file to disk before the file is closed
 * ({@link CreateFlag#SYNC_BLOCK}). Hadoop's client has no setting for this flag. This class is configured as
 * {@code fs.hdfs.impl}.
 */
public final class SyncedHdfs extends DistributedFileSystem {
    private static EnumSet<CreateFlag> synced(EnumSet<CreateFlag> flags) {
        EnumSet<CreateFlag> all = EnumSet.copyOf(flags);
        all.add(CreateFlag.SYNC_BLOCK);
        return all;
    }

    /** The methods without flags also end up in this method. */
    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            ChecksumOpt checksums)
            throws IOException {
        return super.create(file, permission, synced(flags), bufferSize, replication, blockSize, progress, checksums);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path file,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return super.createNonRecursive(file, permission, synced(flags), bufferSize, replication, blockSize, progress);
    }
}
