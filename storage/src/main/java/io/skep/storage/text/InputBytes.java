package io.skep.storage.text;

import io.skep.storage.file.FileInput;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes of a file, starting at a position. */
final class InputBytes implements Lines.Bytes {
    private final FileInput input;
    private final AtomicLong bytesRead;
    private long position;

    InputBytes(FileInput input, long position, AtomicLong bytesRead) {
        this.input = input;
        this.position = position;
        this.bytesRead = bytesRead;
    }

    @Override
    public int read(byte[] buffer, int from, int count) {
        int ready = (int) Math.min(count, input.length() - position);
        if (ready <= 0) {
            return -1;
        }
        input.readFully(position, buffer, from, ready);
        position += ready;
        bytesRead.addAndGet(ready);
        return ready;
    }

    @Override
    public void close() {
        input.close();
    }
}
