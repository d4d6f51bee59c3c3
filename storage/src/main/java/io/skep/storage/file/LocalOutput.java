package io.skep.storage.file;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSError;

/**
 * An output stream to a local file. Hadoop wraps failures such as a full disk into an Error, which would bypass all
 * exception handlers. This class throws them as IOExceptions.
 */
final class LocalOutput extends FilterOutputStream {
    LocalOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int value) throws IOException {
        try {
            out.write(value);
        } catch (FSError e) {
            throw new IOException(e.getCause());
        }
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (FSError e) {
            throw new IOException(e.getCause());
        }
    }
}
