package io.skep.storage.parquet;

import io.skep.storage.file.FileInput;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.table.FileVersion;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** Adapts a file of the file system interface to Parquet's library. */
final class ParquetInput implements InputFile {
    private static final int SMALL = 8 << 10;

    private final StorageFileSystem files;
    private final FileVersion file;
    private final AtomicLong bytesRead;

    ParquetInput(StorageFileSystem files, FileVersion file, AtomicLong bytesRead) {
        this.files = files;
        this.file = file;
        this.bytesRead = bytesRead;
    }

    @Override
    public long getLength() {
        return file.length();
    }

    @Override
    public SeekableInputStream newStream() {
        return new Stream(files.open(file), bytesRead);
    }

    /** Parquet uses this name of the file in its errors. */
    @Override
    public String toString() {
        return file.path();
    }

    private static final class Stream extends SeekableInputStream {
        private final FileInput input;
        private final AtomicLong bytesRead;
        private final byte[] buffered = new byte[SMALL];
        private long bufferedFrom;
        private int bufferedCount;
        private long position;

        private Stream(FileInput input, AtomicLong bytesRead) {
            this.input = input;
            this.bytesRead = bytesRead;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void seek(long newPosition) {
            position = newPosition;
        }

        @Override
        public int read() {
            return fill() ? buffered[(int) (position++ - bufferedFrom)] & 0xFF : -1;
        }

        @Override
        public int read(byte[] buffer, int from, int count) {
            if (count >= SMALL) {
                return readThrough(buffer, from, count);
            }
            if (count == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int some = (int) Math.min(count, bufferedFrom + bufferedCount - position);
            System.arraycopy(buffered, (int) (position - bufferedFrom), buffer, from, some);
            position += some;
            return some;
        }

        /**
         * Fills the buffer so that it contains the byte at the position. Returns false at the end of the file. Indexes
         * and headers are read byte by byte.
         */
        private boolean fill() {
            if (position >= bufferedFrom && position < bufferedFrom + bufferedCount) {
                return true;
            }
            int some = (int) Math.min(SMALL, input.length() - position);
            if (some <= 0) {
                return false;
            }
            input.readFully(position, buffered, 0, some);
            bytesRead.addAndGet(some);
            bufferedFrom = position;
            bufferedCount = some;
            return true;
        }

        private int readThrough(byte[] buffer, int from, int count) {
            int some = (int) Math.min(count, input.length() - position);
            if (some <= 0) {
                return -1;
            }
            input.readFully(position, buffer, from, some);
            position += some;
            bytesRead.addAndGet(some);
            return some;
        }

        @Override
        public void readFully(byte[] buffer) throws IOException {
            readFully(buffer, 0, buffer.length);
        }

        @Override
        public void readFully(byte[] buffer, int from, int count) throws IOException {
            if (position < 0 || position + count > input.length()) {
                throw new EOFException("bytes " + position + " to " + (position + count) + " of " + input.length());
            }
            for (int done = 0; done < count; ) {
                done += read(buffer, from + done, count - done);
            }
        }

        @Override
        public int read(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            int count = read(bytes, 0, bytes.length);
            if (count > 0) {
                buffer.put(bytes, 0, count);
            }
            return count;
        }

        @Override
        public void readFully(ByteBuffer buffer) throws IOException {
            if (buffer.hasArray()) {
                readFully(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
                buffer.position(buffer.limit());
            } else {
                byte[] bytes = new byte[buffer.remaining()];
                readFully(bytes);
                buffer.put(bytes);
            }
        }

        @Override
        public void close() {
            input.close();
        }
    }
}
