package io.skep.ql.parse;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.hive.antlr.Token;
import io.skep.hive.antlr.TokenRewriteStream;
import io.skep.hive.antlr.TokenSource;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The tokens of a statement. Reading them fails when the thread has been interrupted: the grammar tries alternatives one after
 * another, which in deep nesting takes the square of the statement's length and more.
 */
final class InterruptibleTokens extends TokenRewriteStream {
    /** The grammar's time grows with a power of the depth. Generated statements stay far below. */
    static final int MAX_NESTING = 500;

    /** Some 150 bytes of heap each, and as much again in the tree. */
    static final int MAX_TOKENS = 5_000_000;

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

    /** @throws SkepException NOT_SUPPORTED for what the grammar takes too long for */
    void checkSize() {
        fill();
        int depth = 0;
        for (Token token : getTokens()) {
            if (token.getType() == HiveParser.LPAREN && ++depth > MAX_NESTING) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "the statement has more than " + MAX_NESTING + " parentheses within each other")
                        .withHint("leave out those that are not needed, or split the statement with WITH or a view")
                        .at(new TextPosition(token.getLine(), token.getCharPositionInLine() + 1));
            }
            if (token.getType() == HiveParser.RPAREN) {
                depth--;
            }
        }
    }

    /** Takes long lists of constants out of what the grammar will read. */
    void leaveOut(ConstantLists lists) {
        List<Token> left = lists.without(tokens);
        if (left.size() < tokens.size()) {
            for (int i = 0; i < left.size(); i++) {
                left.get(i).setTokenIndex(i);
            }
            tokens = left;
        }
    }

    @Override
    protected void fetch(int count) {
        Interruption.check();
        if (size() > MAX_TOKENS) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the statement has more than " + MAX_TOKENS + " words and signs")
                    .withHint("put long lists of values into a table");
        }
        super.fetch(count);
    }
}
