package io.skep.storage.file;

import java.io.IOException;
import java.io.OutputStream;

/** An output stream to a file that reports failures as errors with a clear meaning. */
final class CheckedOutput extends OutputStream {
    private final String path;
    private final OutputStream out;

    CheckedOutput(String path, OutputStream out) {
        this.path = path;
        this.out = out;
    }

    @Override
    public void write(int value) {
        try {
            out.write(value);
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        }
    }

    @Override
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw FileErrors.of("cannot write", path, e);
        }
    }
}
