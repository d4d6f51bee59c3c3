package io.skep.common.concurrent;

/**
 * A text for matching a regular expression. Reading it fails with {@link Interruption}'s error when the thread has been
 * interrupted. Patterns with nested quantifiers may match a short text for years.
 */
public final class InterruptibleText implements CharSequence {
    private static final int READS_BETWEEN_CHECKS = 1 << 12;

    private final String text;
    private int reads;

    public InterruptibleText(String text) {
        this.text = text;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++reads == READS_BETWEEN_CHECKS) {
            reads = 0;
            Interruption.check();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
