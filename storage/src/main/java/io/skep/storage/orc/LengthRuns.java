package io.skep.storage.orc;

import java.io.IOException;
import org.apache.orc.FileFormatException;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.IntegerReader;
import org.apache.orc.impl.PositionProvider;
import org.apache.orc.impl.RunLengthIntegerReader;
import org.apache.orc.impl.RunLengthIntegerReaderV2;

/**
 * Reads the runs of a length stream and returns the sum of each run. Supports both versions of the run-length encoding.
 * Owned by one thread.
 */
final class LengthRuns {
    private static final int HEADER_BYTES = 2;
    private static final int SHORT_REPEAT_MIN = 3;
    private static final int REPEAT_MIN = 3;

    private final Counted stream;
    private final boolean second;
    private IntegerReader reader;

    /** @param second whether the runs use the second version of the encoding */
    LengthRuns(Object name, InStream stream, boolean second) throws IOException {
        this.stream = new Counted(name, stream);
        this.second = second;
        this.reader = open();
    }

    private IntegerReader open() throws IOException {
        return second ? new RunLengthIntegerReaderV2(stream, false, false) : new RunLengthIntegerReader(stream, false);
    }

    void seek(PositionProvider index) throws IOException {
        stream.seek(index);
        stream.count = 0;
        reader = open();
    }

    /** Returns the bytes of all runs read since the last seek. */
    long bytes() {
        return stream.count;
    }

    /**
     * Returns the sum of the next run.
     *
     * @throws FileFormatException when one of its values is not a valid length
     */
    long next() throws IOException {
        long begin = stream.count;
        stream.begin = begin;
        long sum = length(reader.next());
        for (int left = values() - 1; left > 0; left--) {
            sum += length(reader.next());
        }
        return sum;
    }

    private static long length(long value) throws FileFormatException {
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new FileFormatException("a length of " + value);
        }
        return value;
    }

    /** Returns the number of values of the run whose header was read last. */
    private int values() {
        int first = stream.header[0];
        if (!second) {
            return first < 0x80 ? first + REPEAT_MIN : 0x100 - first;
        }
        return first >>> 6 == 0 ? (first & 7) + SHORT_REPEAT_MIN : ((first & 1) << 8 | stream.header[1]) + 1;
    }

    /** Counts the bytes read, and keeps the first bytes of a run. */
    private static final class Counted extends EndingStream {
        private final int[] header = new int[HEADER_BYTES];
        private long begin;
        private long count;

        private Counted(Object name, InStream stream) {
            super(name, stream);
        }

        /** Headers are read byte by byte. */
        @Override
        public int read() throws IOException {
            int value = super.read();
            if (count - begin < HEADER_BYTES) {
                header[(int) (count - begin)] = value;
            }
            count++;
            return value;
        }

        @Override
        public int read(byte[] data, int from, int some) throws IOException {
            int read = super.read(data, from, some);
            count += read;
            return read;
        }
    }
}
