package io.skep.service.session;

/** The part of a long text that is kept of it when the statement is over, and shown. */
final class StatementText {
    static final int MAX_CHARS = 16 << 10;
    private static final String END = " ... and ";
    private static final String CHARACTERS = " more characters";

    private StatementText() {}

    /** The text, or its beginning and a note of how much is left out. A text that was cut is cut no further. */
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
