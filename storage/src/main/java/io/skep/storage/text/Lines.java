package io.skep.storage.text;

import io.skep.common.memory.ScratchMemory;
import io.skep.storage.file.RecordLimit;
import java.util.Arrays;

/**
 * Reads the lines of a byte stream. As in Hadoop's line reader, a line is terminated by LF, CR LF or CR, and a file may
 * begin with UTF-8's byte order mark. Owned by one thread. The current line is
 * {@code data()[start() .. start() + length())} until the next call.
 */
final class Lines implements AutoCloseable {
    /** A sequential source of bytes. */
    interface Bytes extends AutoCloseable {
        /** Returns the number of bytes stored at {@code from}, or -1 at the end. */
        int read(byte[] buffer, int from, int count);

        @Override
        void close();
    }

    private static final int CHUNK = 256 << 10;
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Bytes bytes;
    private final RecordLimit longest;
    private final long first;
    private final long limit;
    private byte[] buffer = new byte[CHUNK];
    private int begin;
    private int end;
    private boolean atEnd;
    private long position;
    private long offset;
    private int start;
    private int length;

    /**
     * @param first the offset of the stream's first byte in the file
     * @param limit lines that begin at or after this offset are not returned; it is relative to the first byte of the
     *     stream
     * @param skipFirst whether to skip the rest of a line that began before the stream. The rest is not kept in memory,
     *     and not read beyond the limit
     * @param longest the maximum length of a line; a longer line is an error
     */
    Lines(Bytes bytes, long first, long limit, boolean skipFirst, RecordLimit longest) {
        this.bytes = bytes;
        this.first = first;
        this.longest = longest;
        this.limit = limit;
        if (skipFirst) {
            skipRest();
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

    /** Returns the offset of the current line in the file. */
    long offset() {
        return first + offset;
    }

    boolean next() {
        return position < limit && advance();
    }

    private boolean advance() {
        int scanned = begin;
        while (true) {
            int terminator = terminator(scanned);
            if (terminator < end) {
                return line(terminator, behind(terminator));
            }
            if (atEnd) {
                return begin < end && line(end, end);
            }
            scanned = Math.max(0, fill(begin == end ? 0 : end - begin - 1));
        }
    }

    /** Skips the rest of a line, or everything up to the limit. */
    private void skipRest() {
        while (position < limit && !atEnd) {
            int terminator = terminator(begin);
            if (terminator < end) {
                line(terminator, behind(terminator));
                return;
            }
            // The last byte may be a CR. The next byte is not read yet, so it is unknown whether an LF follows.
            boolean undecided = begin < end && buffer[end - 1] == '\r';
            int next = undecided ? end - 1 : end;
            position += next - begin;
            begin = next;
            fill(0);
        }
        position += end - begin;
        begin = end;
    }

    /**
     * Returns the position of the next line terminator. Returns {@code end} when there is none, or when the byte after
     * a CR must be read first.
     */
    private int terminator(int from) {
        for (int i = from; i < end; i++) {
            byte b = buffer[i];
            if (b == '\n' || b == '\r') {
                return b == '\r' && i + 1 == end && !atEnd ? end : i;
            }
        }
        return end;
    }

    private int behind(int terminator) {
        boolean pair = buffer[terminator] == '\r' && terminator + 1 < end && buffer[terminator + 1] == '\n';
        return pair ? terminator + 2 : terminator + 1;
    }

    private boolean line(int lineEnd, int nextBegin) {
        start = begin + mark(lineEnd);
        offset = position;
        length = lineEnd - start;
        position += nextBegin - begin;
        begin = nextBegin;
        return true;
    }

    /** Returns the length of the byte order mark of UTF-8, which is no part of a file's first line. */
    private int mark(int lineEnd) {
        boolean isMarked = first + position == 0
                && lineEnd - begin >= MARK.length
                && Arrays.equals(buffer, begin, begin + MARK.length, MARK, 0, MARK.length);
        return isMarked ? MARK.length : 0;
    }

    /** Moves the remaining bytes to the front and reads more. Returns {@code keep} as an offset into the moved part. */
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
            buffer = ScratchMemory.copyOf(buffer, (int) Math.min(2L * buffer.length, longest.bytes() + 1L));
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
