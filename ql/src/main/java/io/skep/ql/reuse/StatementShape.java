package io.skep.ql.reuse;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A query's text with its whole numbers taken out. Found without the grammar: what is not plainly a whole number on its own
 * stays in the text, and texts with comments have no shape.
 *
 * @param text a mark for each number, which tells INT from BIGINT
 * @param numbers in the order of the text
 */
public record StatementShape(String text, List<Literal> numbers) {
    /** Stands for a number that is an INT, and for one that is a BIGINT: characters that no statement has. */
    private static final char INT_MARK = '\u0001';

    private static final char BIGINT_MARK = '\u0002';
    private static final int MOST_DIGITS = 18;
    private static final int MOST_LENGTH = 20_000;

    /**
     * A whole number.
     *
     * @param offset in the statement's text
     */
    public record Literal(int offset, long value) {
        public boolean isInt() {
            return value <= Integer.MAX_VALUE;
        }
    }

    public StatementShape {
        numbers = List.copyOf(numbers);
    }

    /** The shape of a SELECT; empty for any other statement and where it cannot be told. */
    public static Optional<StatementShape> of(String statement) {
        boolean query = statement.length() > 7
                && statement.length() <= MOST_LENGTH
                && statement.substring(0, 6).toLowerCase(Locale.ROOT).equals("select");
        return query ? new Scanner(statement).scan() : Optional.empty();
    }

    private static final class Scanner {
        private final String in;
        private final StringBuilder out;
        private final List<Literal> numbers = new ArrayList<>();
        private int at;

        private Scanner(String in) {
            this.in = in;
            this.out = new StringBuilder(in.length());
        }

        private Optional<StatementShape> scan() {
            while (at < in.length()) {
                char c = in.charAt(at);
                if (c == INT_MARK || c == BIGINT_MARK || isComment(c)) {
                    return Optional.empty();
                }
                if (c == '\'' || c == '"' || c == '`') {
                    if (!quoted(c)) {
                        return Optional.empty();
                    }
                } else if (isWord(c)) {
                    word();
                } else {
                    out.append(c);
                    at++;
                }
            }
            return Optional.of(new StatementShape(out.toString(), numbers));
        }

        private boolean isComment(char c) {
            char next = at + 1 < in.length() ? in.charAt(at + 1) : ' ';
            return c == '-' && next == '-' || c == '/' && next == '*';
        }

        /** Copies a quoted text; false when it does not end. */
        private boolean quoted(char quote) {
            int start = at++;
            while (at < in.length() && in.charAt(at) != quote) {
                at += in.charAt(at) == '\\' && quote != '`' ? 2 : 1;
            }
            at++;
            if (at > in.length()) {
                return false;
            }
            out.append(in, start, at);
            return true;
        }

        /** A name, keyword or number, with whatever letters, digits and points are written without a gap. */
        private void word() {
            int start = at;
            boolean digits = true;
            while (at < in.length() && (isWord(in.charAt(at)) || in.charAt(at) == '.')) {
                digits &= in.charAt(at) >= '0' && in.charAt(at) <= '9';
                at++;
            }
            boolean afterPoint = start > 0 && in.charAt(start - 1) == '.';
            if (!digits || afterPoint || at - start > MOST_DIGITS) {
                out.append(in, start, at);
                return;
            }
            Literal number = new Literal(start, Long.parseLong(in, start, at, 10));
            numbers.add(number);
            out.append(number.isInt() ? INT_MARK : BIGINT_MARK);
        }

        private static boolean isWord(char c) {
            return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80;
        }
    }
}
