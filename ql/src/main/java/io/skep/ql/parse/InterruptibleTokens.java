package io.skep.ql.parse;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.hive.antlr.CommonToken;
import io.skep.hive.antlr.Token;
import io.skep.hive.antlr.TokenRewriteStream;
import io.skep.hive.antlr.TokenSource;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The tokens of a statement. Reading them fails after the thread has been interrupted. The grammar tries alternatives
 * one after another, which takes quadratic time or more in the statement's length if it is deeply nested.
 */
final class InterruptibleTokens extends TokenRewriteStream {
    /** The grammar's time grows with a power of the nesting depth. Generated statements are far below this limit. */
    static final int MAX_NESTING = 500;

    /**
     * Each token takes about 150 bytes of heap, and as much again in the tree. A million negative numbers have three
     * million tokens.
     */
    static final int MAX_TOKENS = 3_200_000;

    /** The maximum length of a literal in characters. Each step of a compilation copies literals. */
    static final int MAX_LITERAL = 16 << 20;

    /**
     * The maximum length of a name in characters. Names are included in errors and compared with other names. The
     * catalog's names are shorter.
     */
    static final int MAX_NAME = 4_000;

    private static final int READS_BETWEEN_CHECKS = 1 << 10;

    private int reads;

    InterruptibleTokens(TokenSource source) {
        super(source);
    }

    @Override
    public Token LT(int k) {
        if (++reads == READS_BETWEEN_CHECKS) {
            reads = 0;
            Interruption.check();
        }
        return super.LT(k);
    }

    /** @throws SkepException NOT_SUPPORTED for a statement that would take the grammar too long */
    void checkSize() {
        fill();
        int depth = 0;
        for (Token token : getTokens()) {
            Interruption.check();
            checkLength(token);
            if (token.getType() == HiveParser.LPAREN && ++depth > MAX_NESTING) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "the statement has more than " + MAX_NESTING + " parentheses within each other")
                        .withHint("leave out those that are not needed, or split the statement with WITH or a view")
                        .at(new TextPosition(token.getLine(), token.getCharPositionInLine()));
            }
            if (token.getType() == HiveParser.RPAREN) {
                depth--;
            }
        }
    }

    private static void checkLength(Token token) {
        boolean name = token.getType() == HiveParser.Identifier;
        int limit = name ? MAX_NAME : MAX_LITERAL;
        if (token instanceof CommonToken text && text.getStopIndex() - text.getStartIndex() >= limit) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the statement has a " + (name ? "name" : "literal") + " of more than " + limit
                                    + " characters")
                    .withHint(name ? "use a shorter name" : "put long texts into a file and LOAD it")
                    .at(new TextPosition(token.getLine(), token.getCharPositionInLine()));
        }
    }

    /** Removes long lists of constants from the grammar's input. */
    void removeLongLists(ConstantLists lists) {
        List<Token> left = lists.removeLongLists(tokens);
        if (left.size() < tokens.size()) {
            for (int i = 0; i < left.size(); i++) {
                left.get(i).setTokenIndex(i);
            }
            tokens = left;
        }
    }

    /** Skips spaces and comments. Otherwise the stream would visit them again whenever the grammar looks ahead. */
    @Override
    protected void fetch(int count) {
        int left = count;
        while (left > 0) {
            Interruption.check();
            if (size() > MAX_TOKENS) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "the statement has more than " + MAX_TOKENS + " words and signs")
                        .withHint("put long lists of values into a table");
            }
            Token token = getTokenSource().nextToken();
            boolean last = token.getType() == Token.EOF;
            if (last || token.getChannel() == Token.DEFAULT_CHANNEL) {
                token.setTokenIndex(size());
                tokens.add(token);
                left = last ? 0 : left - 1;
            }
        }
    }
}
