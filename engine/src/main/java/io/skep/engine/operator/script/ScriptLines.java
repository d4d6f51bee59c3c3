package io.skep.engine.operator.script;

import io.skep.common.error.SkepException;
import io.skep.common.memory.ScratchMemory;
import io.skep.storage.file.RecordLimit;
import org.apache.hadoop.hive.ql.metadata.HiveUtils;
import org.apache.hadoop.io.Text;
import org.jspecify.annotations.Nullable;

/**
 * Puts the pieces of a script's output together to lines, which end as in Hadoop's line reader with LF, CR LF or CR.
 * Owned by one thread.
 */
final class ScriptLines {
    private static final int FIRST = 64 << 10;

    /** The length of the longest array. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    /** A buffer of this size is not kept behind a long line. */
    private static final int MOST_KEPT = 1 << 20;

    private final RecordLimit longest;
    private final boolean escaped;
    private Text line = new Text();
    private byte[] buffer = new byte[FIRST];
    private int begin;
    private int end;
    /** The bytes from the begin that have no end of a line. */
    private int scanned;

    private boolean atEnd;

    /** @param escaped whether escapes in the lines stand for other characters, as Hive writes them */
    ScriptLines(RecordLimit longest, boolean escaped) {
        this.longest = longest;
        this.escaped = escaped;
    }

    /** Adds the next piece of the output. All lines before it have been taken. */
    void add(byte[] piece, int count) {
        int left = end - begin;
        long wanted = (long) left + count;
        if (left > longest.bytes() || wanted > MOST) {
            throw tooLong();
        }
        System.arraycopy(buffer, begin, buffer, 0, left);
        begin = 0;
        end = left;
        if (wanted > buffer.length) {
            buffer = ScratchMemory.copyOf(buffer, (int) Math.min(MOST, Math.max(wanted, 2L * left)));
        } else if (left == 0 && buffer.length > MOST_KEPT) {
            ScratchMemory.discount(buffer.length);
            buffer = new byte[Math.max(FIRST, count)];
        }
        System.arraycopy(piece, 0, buffer, end, count);
        end += count;
    }

    /** Says that no more follows. The rest is the last line. */
    void end() {
        atEnd = true;
    }

    /** Returns the next line without its end, which is valid until the next call, or null if it is not there yet. */
    @Nullable
    Text next() {
        for (int i = begin + scanned; i < end; i++) {
            byte b = buffer[i];
            if (b == '\n' || b == '\r') {
                if (b == '\r' && i + 1 == end && !atEnd) {
                    scanned = i - begin;
                    return null;
                }
                boolean pair = b == '\r' && i + 1 < end && buffer[i + 1] == '\n';
                return line(i, pair ? i + 2 : i + 1);
            }
        }
        scanned = end - begin;
        return atEnd && begin < end ? line(end, end) : null;
    }

    private Text line(int to, int next) {
        int length = to - begin;
        if (length > longest.bytes()) {
            throw tooLong();
        }
        if (line.getBytes().length > MOST_KEPT && length < MOST_KEPT) {
            ScratchMemory.discount(line.getBytes().length);
            line = new Text();
        } else if (length > line.getBytes().length) {
            ScratchMemory.count(length);
        }
        line.set(buffer, begin, length);
        begin = next;
        scanned = 0;
        if (escaped) {
            int _ = HiveUtils.unescapeText(line);
        }
        return line;
    }

    private SkepException tooLong() {
        SkepException limit = longest.exceeded("A line that the script prints");
        return ScriptErrors.exchange(
                limit.getMessage() + ". Raise " + RecordLimit.SETTING + " for longer ones.", limit);
    }

    /** Returns the bytes of the buffers. */
    long bytes() {
        return (long) buffer.length + line.getBytes().length;
    }
}
