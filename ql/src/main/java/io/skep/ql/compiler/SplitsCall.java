package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * {@code SELECT get_splits('query', n)} or {@code SELECT get_llap_splits('query', n)}, the form in which Hive's readers
 * send them.
 *
 * @param function the node of the call
 * @param typed whether a row says what kind of split it has, as with {@code get_llap_splits}
 */
record SplitsCall(SyntaxNode function, boolean typed) {
    private static final String PLAIN = "get_splits";
    private static final String TYPED = "get_llap_splits";
    private static final int ARGUMENTS = 2;

    static Optional<SplitsCall> of(SyntaxNode root) {
        return SelectedFunction.of(root).flatMap(SplitsCall::ofFunction);
    }

    private static Optional<SplitsCall> ofFunction(SyntaxNode function) {
        String name = function.child(0).text().toLowerCase(Locale.ROOT);
        return switch (name) {
            case PLAIN -> Optional.of(new SplitsCall(function, false));
            case TYPED -> Optional.of(new SplitsCall(function, true));
            default -> Optional.empty();
        };
    }

    /** Returns the text of the query. */
    String text() {
        return SyntaxText.string(argument(1, HiveParser.StringLiteral));
    }

    /** Returns the parsed query. */
    SyntaxNode query(StatementContext context) {
        SyntaxNode query = new HiveSqlParser(context.settings().explicit()).parse(text());
        List<SyntaxNode> inserts = query.all(HiveParser.TOK_INSERT);
        boolean read = query.is(HiveParser.TOK_QUERY)
                && inserts.size() == 1
                && SelectedFunction.isForClient(inserts.getFirst())
                && of(query).isEmpty();
        if (!read) {
            throw new SkepException(
                            StandardErrorCode.SEMANTIC_ERROR, function.child(0).text() + " takes the text of a query")
                    .at(function.position());
        }
        return query;
    }

    /** Returns the maximum number of splits. */
    int count() {
        SyntaxNode number = argument(2, HiveParser.Number);
        try {
            return Integer.parseInt(number.text());
        } catch (NumberFormatException e) {
            throw wrong(number);
        }
    }

    private SyntaxNode argument(int index, int type) {
        if (function.childCount() != ARGUMENTS + 1 || !function.child(index).is(type)) {
            throw wrong(function);
        }
        return function.child(index);
    }

    private SkepException wrong(SyntaxNode where) {
        return new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT,
                        function.child(0).text() + " takes a query as a text and a maximum number of splits, both as"
                                + " literals")
                .at(where.position());
    }
}
