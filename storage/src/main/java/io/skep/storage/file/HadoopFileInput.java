package io.skep.storage.file;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;

/** A file of a Hadoop file system. */
final class HadoopFileInput implements FileInput {
    private final String path;
    private final FSDataInputStream in;
    private final long length;
    private final AtomicLong bytesRead = new AtomicLong();

    HadoopFileInput(String path, FSDataInputStream in, long length) {
        this.path = path;
        this.in = in;
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void readFully(long position, byte[] buffer, int from, int count) {
        try {
            in.readFully(position, buffer, from, count);
            bytesRead.addAndGet(count);
        } catch (IOException e) {
            throw FileErrors.of("cannot read", path + " at " + position, e);
        } catch (FSError e) {
            throw FileErrors.of("cannot read", path + " at " + position, new IOException(e.getCause()));
        }
    }

    @Override
    public long bytesRead() {
        return bytesRead.get();
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw FileErrors.of("cannot close", path, e);
        }
    }
}
