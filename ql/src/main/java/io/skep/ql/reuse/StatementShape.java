package io.skep.ql.reuse;

import java.util.List;
import java.util.Optional;

/**
 * A query's text with its literals extracted. It is found without the grammar. Text that is not clearly a number or a
 * quoted text on its own stays in the text, and a text with comments has no shape. The list of an IN is a single
 * literal, whatever its length.
 *
 * @param text the text with a mark for each literal, which identifies its kind
 * @param literals the literals in the order of the text
 */
public record StatementShape(String text, List<Literal> literals) {
    /** Longer statements have no shape. */
    public static final int MAX_LENGTH = 20_000;

    /**
     * The kinds of literals that the grammar distinguishes. Each has a mark, a character that no statement contains
     * outside quotes.
     */
    enum Kind {
        INT('\u0001'),
        BIGINT('\u0002'),
        DECIMAL('\u0003'),
        TEXT('\u0004'),
        /** A literal in double quotes. The settings determine whether it is a text or a name. */
        DOUBLE_QUOTED('\u0005');

        private final char mark;

        Kind(char mark) {
            this.mark = mark;
        }

        char mark() {
            return mark;
        }
    }

    /** The mark in front of the mark of a list's kind. */
    static final char LIST_MARK = '\u0006';

    /**
     * A literal as written.
     *
     * @param offset the offset in the statement's text
     */
    record Token(int offset, String text) {}

    /**
     * A number, a text, or a list of them.
     *
     * @param isList whether the tokens are the list of an IN, possibly with a single literal
     */
    record Literal(Kind kind, List<Token> tokens, boolean isList) {
        Literal {
            tokens = List.copyOf(tokens);
        }

        List<String> texts() {
            return tokens.stream().map(Token::text).toList();
        }
    }

    public StatementShape {
        literals = List.copyOf(literals);
    }

    /** Returns the shape of a SELECT. Empty for any other statement, and if the shape cannot be determined. */
    public static Optional<StatementShape> of(String statement) {
        boolean query = statement.length() > 7
                && statement.length() <= MAX_LENGTH
                && (beginsWith(statement, "select") || beginsWith(statement, "with"));
        return query ? new ShapeScanner(statement).scan() : Optional.empty();
    }

    /** Compares ASCII letters only. Other letters that fold to these do not start a keyword. */
    private static boolean beginsWith(String statement, String word) {
        for (int i = 0; i < word.length(); i++) {
            if ((statement.charAt(i) | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
