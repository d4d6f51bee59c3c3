package io.skep.engine.operator.script;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.charset.StandardCharsets;

/** The last bytes that a script has written to stderr. Thread-safe. */
final class ErrorTail {
    static final int BYTES = 8 << 10;

    @GuardedBy("this")
    private final byte[] ring = new byte[BYTES];

    @GuardedBy("this")
    private long written;

    synchronized void add(byte[] data, int count) {
        for (int i = Math.max(0, count - BYTES); i < count; i++) {
            ring[(int) ((written + i) % BYTES)] = data[i];
        }
        written += count;
    }

    /** Returns the last bytes as a text, from the start of a line if bytes are missing before them. */
    synchronized String text() {
        int length = (int) Math.min(BYTES, written);
        byte[] last = new byte[length];
        for (int i = 0; i < length; i++) {
            last[i] = ring[(int) ((written - length + i) % BYTES)];
        }
        String text = new String(last, StandardCharsets.UTF_8);
        int line = text.indexOf('\n');
        boolean cut = written > BYTES && line >= 0 && line < text.length() - 1;
        return (cut ? "..." + text.substring(line) : text).strip();
    }
}
