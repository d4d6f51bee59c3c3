package io.skep.storage.file;

/** An open file with positional reads. Several threads may read at the same time. */
public interface FileInput extends AutoCloseable {
    /** Returns the file's length at the time when it was opened. */
    long length();

    /** Fills {@code buffer[from, from + count)} from a position of the file. */
    void readFully(long position, byte[] buffer, int from, int count);

    /** Returns the number of bytes read so far. */
    long bytesRead();

    @Override
    void close();
}
