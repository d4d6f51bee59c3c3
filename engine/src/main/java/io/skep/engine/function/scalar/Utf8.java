package io.skep.engine.function.scalar;

/** Positions and characters in UTF-8. A malformed byte counts as one character if it begins one. */
public final class Utf8 {
    private Utf8() {}

    /** Whether the byte continues a character. */
    static boolean continues(byte value) {
        return (value & 0xC0) == 0x80;
    }

    /** Returns the start of the character after {@code count} characters, at most {@code end}. */
    static int skip(byte[] data, int start, int end, int count) {
        int at = start;
        for (int left = count; left > 0 && at < end; left--) {
            at++;
            while (at < end && continues(data[at])) {
                at++;
            }
        }
        return at;
    }

    /** Returns the number of characters. */
    public static int length(byte[] data, int start, int end) {
        int characters = 0;
        for (int i = start; i < end; i++) {
            characters += continues(data[i]) ? 0 : 1;
        }
        return characters;
    }

    static boolean isAscii(byte[] data, int start, int end) {
        int all = 0;
        for (int i = start; i < end; i++) {
            all |= data[i];
        }
        return all >= 0;
    }
}
