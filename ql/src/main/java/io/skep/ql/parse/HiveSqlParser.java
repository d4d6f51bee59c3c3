package io.skep.ql.parse;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.hive.antlr.CommonToken;
import io.skep.hive.antlr.RecognitionException;
import io.skep.hive.antlr.Token;
import io.skep.hive.antlr.TokenRewriteStream;
import io.skep.hive.antlr.tree.RewriteCardinalityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.GenericHiveLexer;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.apache.hadoop.hive.ql.parse.ParseDriver;
import org.apache.hadoop.hive.ql.parse.ParseException;
import org.apache.hadoop.hive.ql.parse.ParseResult;
import org.jspecify.annotations.Nullable;

/**
 * Parses one statement with Hive's grammar, or with {@link PolicyStatements}. Only settings that change the grammar's
 * meaning have an effect.
 */
public final class HiveSqlParser {
    private static final List<String> SETTINGS = List.of("hive.default.nulls.last", "hive.support.quoted.identifiers");

    /** The maximum length of a text that is parsed a second time to describe its error, in characters. */
    private static final int MAX_READ_AGAIN = 100_000;

    private static final String EXPRESSION_PREFIX = "SELECT ";

    /**
     * The configuration of nearly all sessions. Creating one waits for a lock on all of Hadoop's configurations. It is
     * never modified.
     */
    private static final Configuration USUAL = configuration(Map.of());

    private final Configuration configuration;

    /** @param settings the settings of the session; the parser selects those that it supports */
    public HiveSqlParser(Map<String, String> settings) {
        configuration = SETTINGS.stream().noneMatch(settings::containsKey) ? USUAL : configuration(settings);
    }

    private static Configuration configuration(Map<String, String> settings) {
        Configuration configuration = new Configuration(false);
        configuration.set("hive.default.nulls.last", "true");
        configuration.set("hive.support.quoted.identifiers", "column");
        for (String key : SETTINGS) {
            String value = settings.get(key);
            if (value != null) {
                configuration.set(key, value);
            }
        }
        return configuration;
    }

    /** @throws SkepException SYNTAX_ERROR with the position */
    public SyntaxNode parse(String text) {
        GenericHiveLexer lexer = lexer(text);
        InterruptibleTokens tokens = new InterruptibleTokens(lexer);
        tokens.checkSize();
        Optional<SyntaxNode> policy = PolicyStatements.parse(tokens.getTokens(), text);
        if (policy.isPresent()) {
            return policy.get();
        }
        ConstantLists lists = new ConstantLists(text);
        tokens.removeLongLists(lists);
        HiveParser parser = new HiveParser(tokens);
        parser.setTreeAdaptor(ParseDriver.adaptor);
        parser.setHiveConf(configuration);
        try {
            ASTNode tree = parser.statement().getTree();
            if (parser.getNumberOfSyntaxErrors() > 0 || !lexer.getErrors().isEmpty()) {
                throw error(text);
            }
            tree.setUnknownTokenBoundaries();
            return convert(statement(tree), tokens, lists, text);
        } catch (RecognitionException e) {
            String message = parser.getErrorHeader(e) + " " + parser.getErrorMessage(e, parser.getTokenNames());
            throw SyntaxErrors.of(message, e, text, 0);
        } catch (RewriteCardinalityException e) {
            throw CompileErrors.ofQuery(
                    StandardErrorCode.SYNTAX_ERROR,
                    ErrorMsg.GENERIC_ERROR,
                    e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    private GenericHiveLexer lexer(String text) {
        GenericHiveLexer lexer = GenericHiveLexer.of("", configuration);
        InterruptibleCharacters characters = new InterruptibleCharacters(text);
        lexer.setCharStream(characters);
        for (GenericHiveLexer part : lexer.getDelegates()) {
            part.setCharStream(characters);
        }
        return lexer;
    }

    /**
     * Describes the error in a text that the parser has read to its end regardless. Only Hive's driver can report such
     * errors. It does not check for interrupts.
     */
    private SkepException error(String text) {
        if (text.length() <= MAX_READ_AGAIN) {
            try {
                new ParseDriver().parse(text, configuration);
            } catch (ParseException e) {
                return SyntaxErrors.of(String.valueOf(e.getMessage()), e, text, 0);
            }
        }
        return new SkepException(StandardErrorCode.SYNTAX_ERROR, "the text is not a statement");
    }

    /** Returns a name in backquotes, as statements write it. */
    public static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** Returns the name of a table with its database, as statements write it. */
    public static String quoted(String database, String name) {
        return quoted(database) + "." + quoted(name);
    }

    /** Returns a text as a literal of a statement. */
    public static String literal(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /**
     * Parses a standalone expression, such as a DEFAULT or a view's filter. Positions count from the start of the
     * expression.
     */
    public SyntaxNode parseExpression(String text) {
        SyntaxNode select = parseSelect(text);
        return shifted(select.child(0).child(0), EXPRESSION_PREFIX.length());
    }

    /**
     * Parses a standalone SELECT list and returns TOK_SELECT. Positions count from the start of a SELECT with this
     * list.
     */
    public SyntaxNode parseSelect(String text) {
        try {
            ParseResult result = new ParseDriver().parseSelect(EXPRESSION_PREFIX + text, configuration);
            return convert(
                    result.getTree(),
                    result.getTokenRewriteStream(),
                    new ConstantLists(text),
                    EXPRESSION_PREFIX + text);
        } catch (ParseException e) {
            throw SyntaxErrors.of(String.valueOf(e.getMessage()), e, text, EXPRESSION_PREFIX.length());
        }
    }

    private static SyntaxNode shifted(SyntaxNode node, int columns) {
        TextPosition at = node.position();
        TextPosition moved = at.line() == 1 ? new TextPosition(1, Math.max(0, at.column() - columns)) : at;
        List<SyntaxNode> children =
                node.children().stream().map(child -> shifted(child, columns)).toList();
        return new SyntaxNode(node.type(), node.text(), children, moved, node.offset() - columns, node.span());
    }

    /** Returns the statement. The parser's root contains it and the end-of-file token. */
    private static ASTNode statement(ASTNode root) {
        ASTNode node = root;
        while (node.getToken() == null && node.getChildCount() > 0) {
            node = (ASTNode) node.getChild(0);
        }
        return node;
    }

    private static SyntaxNode convert(ASTNode node, TokenRewriteStream tokens, ConstantLists lists, String text) {
        Interruption.check();
        List<SyntaxNode> children = new ArrayList<>(node.getChildCount());
        for (int i = 0; i < node.getChildCount(); i++) {
            ASTNode child = (ASTNode) node.getChild(i);
            children.add(convert(child, tokens, lists, text));
            children.addAll(
                    node.getType() == HiveParser.TOK_FUNCTION
                            ? lists.removedAfter(token(tokens, child.getTokenStartIndex()))
                            : List.of());
        }
        Token first = token(tokens, node.getTokenStartIndex());
        Token last = token(tokens, node.getTokenStopIndex());
        return nestSigns(new SyntaxNode(
                node.getType(),
                node.getText() == null ? "" : node.getText(),
                children,
                position(node, first, children),
                first instanceof CommonToken token ? token.getStartIndex() : -1,
                first == null || last == null ? SyntaxNode.SourceSpan.NONE : span(text, first, last)));
    }

    /**
     * Gives each sign and each NOT one operand. The grammar parses {@code - + 1} as a plus with two operands: a minus
     * without operands, and the number. It parses {@code NOT NOT a} in the same way. Hive itself rejects all such
     * sequences.
     */
    private static SyntaxNode nestSigns(SyntaxNode last) {
        if (!isSign(last) || last.childCount() != 2 || !areSigns(last.child(0))) {
            return last;
        }
        SyntaxNode operand = last.withChildren(List.of(last.child(1)));
        List<SyntaxNode> signs = List.of(last.child(0));
        while (!signs.isEmpty()) {
            SyntaxNode sign = signs.getFirst();
            operand = new SyntaxNode(
                    sign.type(), sign.text(), List.of(operand), last.position(), last.offset(), last.span());
            signs = sign.children();
        }
        return operand;
    }

    private static boolean areSigns(SyntaxNode node) {
        return isSign(node) && (node.childCount() == 0 || node.childCount() == 1 && areSigns(node.child(0)));
    }

    private static boolean isSign(SyntaxNode node) {
        return node.is(HiveParser.MINUS)
                || node.is(HiveParser.PLUS)
                || node.is(HiveParser.TILDE)
                || node.is(HiveParser.KW_NOT);
    }

    private static @Nullable Token token(TokenRewriteStream tokens, int index) {
        return index < 0 || index >= tokens.size() ? null : tokens.get(index);
    }

    private static TextPosition position(ASTNode node, @Nullable Token first, List<SyntaxNode> children) {
        if (first != null && first.getLine() > 0) {
            return new TextPosition(first.getLine(), first.getCharPositionInLine());
        }
        Token own = node.getToken();
        if (own != null && own.getLine() > 0) {
            return new TextPosition(own.getLine(), own.getCharPositionInLine());
        }
        return children.isEmpty() ? new TextPosition(1, 0) : children.getFirst().position();
    }

    private static SyntaxNode.SourceSpan span(String text, Token first, Token last) {
        if (first instanceof CommonToken from && last instanceof CommonToken to) {
            int start = from.getStartIndex();
            int end = to.getStopIndex() + 1;
            if (start >= 0 && start <= end && end <= text.length()) {
                return new SyntaxNode.SourceSpan(text, start, end);
            }
        }
        return SyntaxNode.SourceSpan.NONE;
    }
}
