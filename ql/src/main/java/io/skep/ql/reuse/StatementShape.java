package io.skep.ql.reuse;

import java.util.List;
import java.util.Optional;

/**
 * A query's text with its literals taken out. Found without the grammar: what is not plainly a number or a quoted text on its
 * own stays in the text, and texts with comments have no shape. The list of an IN is one literal, however long it is.
 *
 * @param text a mark for each literal, which tells its kind
 * @param literals in the order of the text
 */
public record StatementShape(String text, List<Literal> literals) {
    /** Longer statements have none. */
    public static final int MAX_LENGTH = 20_000;

    /** Kinds of literals that the grammar tells apart; each has a mark, a character that no statement has outside of quotes. */
    enum Kind {
        INT('\u0001'),
        BIGINT('\u0002'),
        DECIMAL('\u0003'),
        TEXT('\u0004'),
        /** In double quotes: by the settings a text or a name. */
        DOUBLE_QUOTED('\u0005');

        private final char mark;

        Kind(char mark) {
            this.mark = mark;
        }

        char mark() {
            return mark;
        }
    }

    /** Stands before the mark of a list's kind. */
    static final char LIST_MARK = '\u0006';

    /**
     * A literal as it is written.
     *
     * @param offset in the statement's text
     */
    record Token(int offset, String text) {}

    /**
     * A number, a text, or a list of some.
     *
     * @param isList whether the tokens are the list of an IN, maybe one of a single literal
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

    /** The shape of a SELECT; empty for any other statement and where it cannot be told. */
    public static Optional<StatementShape> of(String statement) {
        boolean query = statement.length() > 7
                && statement.length() <= MAX_LENGTH
                && (beginsWith(statement, "select") || beginsWith(statement, "with"));
        return query ? new ShapeScanner(statement).scan() : Optional.empty();
    }

    /** In letters of ASCII only: other letters that fold to these begin no keyword. */
    private static boolean beginsWith(String statement, String word) {
        for (int i = 0; i < word.length(); i++) {
            if ((statement.charAt(i) | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
