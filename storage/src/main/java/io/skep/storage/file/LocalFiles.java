package io.skep.storage.file;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's local file system without checksum files and without forked commands. It is configured as
 * {@code fs.file.impl}.
 */
public final class LocalFiles extends LocalFileSystem {
    public LocalFiles() {
        super(new RawLocalFiles());
        setWriteChecksum(false);
        setVerifyChecksum(false);
    }

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
        return hasChecksumName(file)
                ? super.open(file, bufferSize)
                : getRawFileSystem().open(file, bufferSize);
    }

    @Override
    public boolean delete(Path file, boolean recursive) throws IOException {
        return hasChecksumName(file)
                ? super.delete(file, recursive)
                : getRawFileSystem().delete(file, recursive);
    }

    /**
     * Hadoop builds the name of a checksum file even when no checksum is written, and fails when the name contains a
     * colon.
     */
    private static boolean hasChecksumName(Path file) {
        return file.getName().indexOf(':') < 0;
    }
}
