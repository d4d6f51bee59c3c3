package io.skep.storage.orc;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * A file system that tracks the one stream that ORC's writer opens. The writer leaves the stream open when it cannot
 * write the end of the file, for example on a full disk.
 */
final class CapturedOutput extends FilterFileSystem {
    private @Nullable FSDataOutputStream stream;

    CapturedOutput(FileSystem files) {
        super(files);
    }

    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        FSDataOutputStream created =
                super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
        stream = created;
        return created;
    }

    /** Closes the stream and ignores failures, because its file is discarded. */
    void closeQuietly() {
        FSDataOutputStream open = stream;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // The file is discarded, so bytes that were not written do not matter.
            }
        }
    }

    /** The underlying file system is shared and stays open. */
    @Override
    public void close() {}
}
