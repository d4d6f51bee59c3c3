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
 * A file system that knows the one stream that ORC's writer opens: the writer leaves it open when it fails to write its
 * end, on a full disk for example.
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

    /** Closes the stream whatever comes of it: its file is given up. */
    void giveUp() {
        FSDataOutputStream open = stream;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // What could not be written does not matter any more.
            }
        }
    }

    /** The file system below is shared and stays open. */
    @Override
    public void close() {}
}
