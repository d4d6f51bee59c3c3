package io.skep.ql.parse;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.hive.antlr.CommonToken;
import io.skep.hive.antlr.Token;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Parses ALTER TABLE and ALTER VIEW with SET and DROP of a row filter or a column mask, which Hive's grammar does not
 * have. The statement is recognized by its tokens. Hive's parser gets the name of the table, and the expression at its
 * own place in a text that is blank before it, so that all positions are those of the statement.
 */
final class PolicyStatements {
    /** A clause that Hive has for tables and views. It takes the place of the clause while the name is parsed. */
    private static final String CLAUSE_OF_HIVE = " SET TBLPROPERTIES ('a' = 'b')";

    private static final String SELECT = "SELECT";
    private static final HiveSqlParser PARSER = new HiveSqlParser(Map.of());

    private final List<? extends Token> tokens;
    private final String text;
    private int at;

    private PolicyStatements(List<? extends Token> tokens, String text) {
        this.tokens = tokens;
        this.text = text;
    }

    /**
     * Parses a statement about policies. Its root is that of ALTER TABLE or ALTER VIEW, with the name and a clause of
     * the type {@link SyntaxNode#ROW_FILTER} or {@link SyntaxNode#MASK}. Empty for any other statement.
     */
    static Optional<SyntaxNode> parse(List<? extends Token> tokens, String text) {
        return new PolicyStatements(tokens, text).statement();
    }

    private Optional<SyntaxNode> statement() {
        if (!take("alter") || !(take("table") || take("view"))) {
            return Optional.empty();
        }
        at++;
        while (take(".")) {
            at++;
        }
        int nameEnd = at;
        if (takeAll("set", "row", "filter")) {
            return Optional.of(statement(nameEnd, SyntaxNode.ROW_FILTER, List.of(expression(nameEnd + 2))));
        }
        if (takeAll("drop", "row", "filter")) {
            return Optional.of(dropped(nameEnd, SyntaxNode.ROW_FILTER, List.of()));
        }
        return takeAll("alter", "column") ? mask(nameEnd) : Optional.empty();
    }

    private Optional<SyntaxNode> mask(int nameEnd) {
        int column = at;
        at++;
        if (takeAll("set", "mask")) {
            SyntaxNode expression = expression(nameEnd + 1);
            return Optional.of(statement(nameEnd, SyntaxNode.MASK, List.of(column(nameEnd + 1, column), expression)));
        }
        return takeAll("drop", "mask")
                ? Optional.of(dropped(nameEnd, SyntaxNode.MASK, List.of(column(nameEnd + 1, column))))
                : Optional.empty();
    }

    private boolean take(String word) {
        boolean found = is(at, word);
        at += found ? 1 : 0;
        return found;
    }

    private boolean takeAll(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!is(at + i, words[i])) {
                return false;
            }
        }
        at += words.length;
        return true;
    }

    /** Whether a token is a word, without quotes around it. */
    private boolean is(int index, String word) {
        Token token = tokens.get(Math.min(index, tokens.size() - 1));
        return token.getType() != Token.EOF
                && start(token) >= 0
                && text.substring(start(token), end(token)).equalsIgnoreCase(word);
    }

    private static int start(Token token) {
        return ((CommonToken) token).getStartIndex();
    }

    private static int end(Token token) {
        return ((CommonToken) token).getStopIndex() + 1;
    }

    private static TextPosition position(Token token) {
        return new TextPosition(Math.max(1, token.getLine()), Math.max(0, token.getCharPositionInLine()));
    }

    private SyntaxNode dropped(int nameEnd, int type, List<SyntaxNode> children) {
        requireEnd(at);
        return statement(nameEnd, type, children);
    }

    private void requireEnd(int index) {
        Token token = tokens.get(index);
        if (token.getType() != Token.EOF) {
            throw new SkepException(
                            StandardErrorCode.SYNTAX_ERROR,
                            "extraneous input '" + CompileErrors.shown(token.getText()) + "' expecting EOF")
                    .at(position(token));
        }
    }

    private SyntaxNode statement(int nameEnd, int type, List<SyntaxNode> children) {
        SyntaxNode named = PARSER.parse(text.substring(0, end(tokens.get(nameEnd - 1))) + CLAUSE_OF_HIVE);
        Token first = tokens.get(nameEnd);
        SyntaxNode clause = new SyntaxNode(
                type,
                type == SyntaxNode.MASK ? "TOK_ALTERTABLE_MASK" : "TOK_ALTERTABLE_ROWFILTER",
                children,
                position(first),
                start(first),
                "");
        return named.withChildren(List.of(named.child(0), clause));
    }

    /** Parses the expression in parentheses with which the statement ends. */
    private SyntaxNode expression(int select) {
        Token open = tokens.get(at);
        if (open.getType() != HiveParser.LPAREN) {
            throw new SkepException(
                            StandardErrorCode.SYNTAX_ERROR,
                            "mismatched input '" + CompileErrors.shown(open.getText()) + "' expecting (")
                    .withHint("write the expression in parentheses")
                    .at(position(open));
        }
        int close = closing(at);
        requireEnd(close + 1);
        return selected(select, end(open), start(tokens.get(close)));
    }

    private int closing(int open) {
        int depth = 0;
        for (int i = open; tokens.get(i).getType() != Token.EOF; i++) {
            depth += tokens.get(i).getType() == HiveParser.LPAREN ? 1 : 0;
            depth -= tokens.get(i).getType() == HiveParser.RPAREN ? 1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new SkepException(StandardErrorCode.SYNTAX_ERROR, "the closing parenthesis is missing")
                .at(position(tokens.get(open)));
    }

    private SyntaxNode column(int select, int index) {
        SyntaxNode column = selected(select, start(tokens.get(index)), end(tokens.get(index)));
        if (!column.is(HiveParser.TOK_TABLE_OR_COL)) {
            throw new SkepException(StandardErrorCode.SYNTAX_ERROR, "the name of a column is expected")
                    .at(column.position());
        }
        return column.child(0);
    }

    /**
     * Parses a part of the text as the only item of a SELECT.
     *
     * @param select a token of six letters before the part
     */
    private SyntaxNode selected(int select, int from, int to) {
        StringBuilder blank = new StringBuilder(to);
        for (int i = 0; i < from; i++) {
            blank.append(text.charAt(i) == '\n' ? '\n' : ' ');
        }
        int keyword = start(tokens.get(select));
        blank.replace(keyword, keyword + SELECT.length(), SELECT).append(text, from, to);
        SyntaxNode query = PARSER.parse(blank.toString());
        return item(query)
                .orElseThrow(() -> new SkepException(StandardErrorCode.SYNTAX_ERROR, "one expression is expected")
                        .at(position(tokens.get(at))));
    }

    /** Returns the expression of a query that has nothing else: no other item, no alias and no clause. */
    private static Optional<SyntaxNode> item(SyntaxNode query) {
        if (!query.is(HiveParser.TOK_QUERY)
                || query.childCount() != 1
                || query.child(0).childCount() != 2) {
            return Optional.empty();
        }
        SyntaxNode list = query.child(0).child(1);
        return list.is(HiveParser.TOK_SELECT)
                        && list.childCount() == 1
                        && list.child(0).is(HiveParser.TOK_SELEXPR)
                        && list.child(0).childCount() == 1
                ? Optional.of(list.child(0).child(0))
                : Optional.empty();
    }
}
