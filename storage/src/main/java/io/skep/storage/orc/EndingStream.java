package io.skep.storage.orc;

import java.io.EOFException;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.hive.common.io.DiskRangeList;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.PositionProvider;

/**
 * A stream that fails at its end. ORC's readers of packed integers do not check for the end. They use the -1 as a
 * value, or count it as bytes until their counter wraps around.
 */
class EndingStream extends InStream {
    private final InStream stream;

    EndingStream(Object name, InStream stream) {
        super(name, 0, 0);
        this.stream = stream;
    }

    @Override
    public int read() throws IOException {
        int value = stream.read();
        if (value < 0) {
            throw end();
        }
        return value;
    }

    @Override
    public int read(byte[] data, int from, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        int some = stream.read(data, from, count);
        if (some < 0) {
            throw end();
        }
        return some;
    }

    private EOFException end() {
        return new EOFException("the stream " + name + " ends too early");
    }

    @Override
    public int available() throws IOException {
        return stream.available();
    }

    @Override
    public void seek(PositionProvider index) throws IOException {
        stream.seek(index);
    }

    @Override
    public void close() {
        stream.close();
    }

    @Override
    public void changeIv(Consumer<byte[]> modifier) {
        stream.changeIv(modifier);
    }

    /** Only streams that hold bytes themselves have ranges. */
    @Override
    protected void setCurrent(DiskRangeList range, boolean jump) {
        throw new IllegalStateException("the stream " + name + " has no ranges of its own");
    }
}
