package io.skep.ql.parse;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.TextPosition;
import io.skep.hive.antlr.CommonToken;
import io.skep.hive.antlr.Token;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.jspecify.annotations.Nullable;

/**
 * Handles long lists of constants after IN. The grammar passes each constant through about twenty rules, so a million
 * of them take many seconds. All but two constants of such a list are removed from the grammar's input and added back
 * after the second one in the tree. A single remaining constant would parse as an expression in parentheses.
 */
final class ConstantLists {
    /** The grammar itself parses lists shorter than this. */
    private static final int LEAST = 100;

    private static final int LEFT = 2;

    private final IdentityHashMap<Token, List<SyntaxNode>> rest = new IdentityHashMap<>();
    private final String text;

    ConstantLists(String text) {
        this.text = text;
    }

    /** Returns the removed constants that follow the constant starting at a token. Empty for any other token. */
    List<SyntaxNode> removedAfter(@Nullable Token first) {
        return first == null ? List.of() : rest.getOrDefault(first, List.of());
    }

    /** @return the tokens without those that are kept here, or the same list if there are none */
    List<Token> removeLongLists(List<Token> tokens) {
        List<Token> kept = new ArrayList<>(tokens.size());
        int next = 0;
        while (next < tokens.size()) {
            int opening = next + 1;
            boolean begins = tokens.get(next).getType() == HiveParser.KW_IN && is(tokens, opening, HiveParser.LPAREN);
            kept.add(tokens.get(next));
            next++;
            if (begins) {
                kept.addAll(tokens.subList(next, opening + 1));
                next = list(tokens, opening + 1, kept);
            }
        }
        return rest.isEmpty() ? tokens : kept;
    }

    /**
     * Reads a list after its opening parenthesis. Returns where to continue: at the closing parenthesis, or at the
     * start if this is not a long list of constants.
     */
    private int list(List<Token> tokens, int start, List<Token> kept) {
        List<SyntaxNode> constants = new ArrayList<>();
        int next = start;
        int lastLeft = start;
        int afterLeft = start;
        while (true) {
            Interruption.check();
            int sign = next;
            int value = is(tokens, sign, HiveParser.MINUS) ? sign + 1 : sign;
            int behind = value + 1;
            boolean ends = is(tokens, behind, HiveParser.RPAREN);
            if (!isConstant(tokens, value) || !ends && !is(tokens, behind, HiveParser.COMMA)) {
                return start;
            }
            SyntaxNode literal = node(tokens.get(value), tokens.get(value), List.of());
            constants.add(value == sign ? literal : node(tokens.get(sign), tokens.get(value), List.of(literal)));
            if (constants.size() == LEFT) {
                lastLeft = sign;
                afterLeft = value + 1;
            }
            next = behind + 1;
            if (ends && constants.size() < LEAST) {
                return start;
            }
            if (ends) {
                kept.addAll(tokens.subList(start, afterLeft));
                rest.put(tokens.get(lastLeft), List.copyOf(constants.subList(LEFT, constants.size())));
                return behind;
            }
        }
    }

    private SyntaxNode node(Token first, Token last, List<SyntaxNode> children) {
        TextPosition position = new TextPosition(first.getLine(), first.getCharPositionInLine());
        int start = ((CommonToken) first).getStartIndex();
        int end = ((CommonToken) last).getStopIndex() + 1;
        return new SyntaxNode(
                first.getType(),
                first.getText(),
                children,
                position,
                start,
                new SyntaxNode.SourceSpan(text, start, end));
    }

    private static boolean isConstant(List<Token> tokens, int index) {
        return is(tokens, index, HiveParser.Number)
                || is(tokens, index, HiveParser.IntegralLiteral)
                || is(tokens, index, HiveParser.NumberLiteral)
                || is(tokens, index, HiveParser.StringLiteral);
    }

    private static boolean is(List<Token> tokens, int index, int type) {
        return index < tokens.size() && tokens.get(index).getType() == type;
    }
}
