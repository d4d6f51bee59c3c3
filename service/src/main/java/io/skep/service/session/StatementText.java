package io.skep.service.session;

/** The part of a long text that is kept and shown after the statement has ended. */
final class StatementText {
    static final int MAX_CHARS = 16 << 10;
    private static final String END = " ... and ";
    private static final String CHARACTERS = " more characters";

    private StatementText() {}

    /**
     * Returns the text, or its beginning and a note of the omitted length. A text that was already cut is returned
     * unchanged.
     */
    static String cut(String text) {
        if (text.length() <= MAX_CHARS || isCut(text)) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_CHARS - 1)) ? MAX_CHARS - 1 : MAX_CHARS;
        return text.substring(0, end) + END + (text.length() - end) + CHARACTERS;
    }

    /** Whether a text is the beginning of a longer one. */
    static boolean isCut(String text) {
        return text.length() >= MAX_CHARS
                && text.length() <= MAX_CHARS + END.length() + CHARACTERS.length() + 10
                && text.endsWith(CHARACTERS);
    }
}
