package io.skep.storage.file;

/** An open file, read at positions. Positional reads may come from several threads. */
public interface FileInput extends AutoCloseable {
    /** The file as it was when it was opened. */
    long length();

    /** Fills {@code buffer[from, from + count)} from a position of the file. */
    void readFully(long position, byte[] buffer, int from, int count);

    /** Bytes read so far. */
    long bytesRead();

    @Override
    void close();
}
