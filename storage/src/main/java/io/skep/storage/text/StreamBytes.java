package io.skep.storage.text;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.table.FileVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes of a stream, used for compressed files. */
final class StreamBytes implements Lines.Bytes {
    private final InputStream stream;
    private final FileVersion file;
    private final AtomicLong bytesRead;

    StreamBytes(InputStream stream, FileVersion file, AtomicLong bytesRead) {
        this.stream = stream;
        this.file = file;
        this.bytesRead = bytesRead;
    }

    @Override
    public int read(byte[] buffer, int from, int count) {
        try {
            int read = stream.read(buffer, from, count);
            bytesRead.addAndGet(Math.max(0, read));
            return read;
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.CORRUPT_FILE, file.path() + " cannot be decompressed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot close " + file.path(), e);
        }
    }
}
