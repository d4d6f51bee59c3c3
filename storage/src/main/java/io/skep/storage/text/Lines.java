package io.skep.storage.text;

import io.skep.storage.file.RecordLimit;
import java.util.Arrays;

/**
 * Lines of a stream of bytes. A line ends with LF, CR LF or CR, as Hadoop's line reader has it. Owned by one thread; the current
 * line is {@code data()[start() .. start() + length())} until the next call.
 */
final class Lines implements AutoCloseable {
    /** Where bytes come from, one after the other. */
    interface Bytes extends AutoCloseable {
        /** The number of bytes put at {@code from}, or -1 at the end. */
        int read(byte[] buffer, int from, int count);

        @Override
        void close();
    }

    private static final int CHUNK = 256 << 10;

    private final Bytes bytes;
    private final RecordLimit longest;
    private final long limit;
    private byte[] buffer = new byte[CHUNK];
    private int begin;
    private int end;
    private boolean atEnd;
    private long position;
    private int start;
    private int length;

    /**
     * @param limit lines that begin at or behind this offset, counted from the first byte of the stream, are not given
     * @param skipFirst whether to pass over the rest of a line that began before the stream
     * @param longest of a line; a longer one is an error
     */
    Lines(Bytes bytes, long limit, boolean skipFirst, RecordLimit longest) {
        this.bytes = bytes;
        this.longest = longest;
        this.limit = limit;
        if (skipFirst) {
            advance();
        }
    }

    byte[] data() {
        return buffer;
    }

    int start() {
        return start;
    }

    int length() {
        return length;
    }

    boolean next() {
        return position < limit && advance();
    }

    private boolean advance() {
        int scanned = begin;
        while (true) {
            for (int i = scanned; i < end; i++) {
                byte b = buffer[i];
                if (b == '\n' || b == '\r') {
                    if (b == '\r' && i + 1 == end && !atEnd) {
                        break;
                    }
                    boolean pair = b == '\r' && i + 1 < end && buffer[i + 1] == '\n';
                    return line(i, pair ? i + 2 : i + 1);
                }
            }
            if (atEnd) {
                return begin < end && line(end, end);
            }
            scanned = Math.max(0, fill(begin == end ? 0 : end - begin - 1));
        }
    }

    private boolean line(int lineEnd, int nextBegin) {
        start = begin;
        length = lineEnd - begin;
        position += nextBegin - begin;
        begin = nextBegin;
        return true;
    }

    /** Moves what is left to the front and reads on; gives {@code keep} as an offset into the moved part. */
    private int fill(int keep) {
        int left = end - begin;
        if (begin > 0) {
            System.arraycopy(buffer, begin, buffer, 0, left);
        }
        begin = 0;
        end = left;
        if (end > longest.bytes()) {
            throw longest.exceeded(
                    "a line of text that begins " + position + " bytes behind the start of what was read");
        }
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, longest.bytes() + 1L));
        }
        int count = bytes.read(buffer, end, buffer.length - end);
        if (count < 0) {
            atEnd = true;
        } else {
            end += count;
        }
        return keep;
    }

    @Override
    public void close() {
        bytes.close();
    }
}
