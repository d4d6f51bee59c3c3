package io.skep.storage.parquet;

import io.skep.storage.file.StorageFileSystem;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** Adapts a new file of the file system interface to Parquet's library. */
final class ParquetOutput implements OutputFile {
    private final StorageFileSystem files;
    private final String path;

    ParquetOutput(StorageFileSystem files, String path) {
        this.files = files;
        this.path = path;
    }

    @Override
    public PositionOutputStream create(long blockSize) {
        return new Counting(new BufferedOutputStream(files.create(path), 256 << 10));
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSize) {
        return create(blockSize);
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }

    private static final class Counting extends PositionOutputStream {
        private final OutputStream out;
        private long position;

        private Counting(OutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            position++;
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
            position += count;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
