package io.skep.ql.compiler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * PREPARE name FROM query with {@code ?} for values, and EXECUTE name USING constants. The session keeps the syntax
 * tree of the query. EXECUTE puts the constants in their places and compiles the query as if it had been written so,
 * with the rights of that time. PREPARE compiles the query with NULL for its parameters, to find tables and columns
 * that do not exist. A column that is only compared with a parameter is not read then, so EXECUTE checks its rights.
 */
final class PreparedQueries {
    /** Errors of a query whose parameters are NULL, which it may not have with other values. */
    private static final Set<StandardErrorCode> OF_VALUES = Set.of(
            StandardErrorCode.TYPE_MISMATCH, StandardErrorCode.INVALID_ARGUMENT, StandardErrorCode.SEMANTIC_ERROR);

    private PreparedQueries() {}

    /** Letter case counts, as in Hive. */
    private static String name(SyntaxNode statement) {
        return statement.child(1).text();
    }

    /** PREPARE. */
    static SqlStatement prepare(SyntaxNode statement, StatementContext context) {
        String name = name(statement);
        SyntaxNode query = statement.child(0);
        if (context.session().prepared(name).isPresent()) {
            throw error(statement.child(1).position(), "Prepare query: " + name + " already exists.");
        }
        int parameters = query.descendants(HiveParser.TOK_PARAMETER).size();
        SyntaxNode nulls = bound(
                query,
                Collections.nCopies(
                                parameters,
                                new SyntaxNode(HiveParser.TOK_NULL, "NULL", List.of(), query.position(), -1, ""))
                        .iterator());
        try {
            StatementKinds.compile(nulls, context).close();
        } catch (SkepException e) {
            if (parameters == 0 || !OF_VALUES.contains(e.code())) {
                throw e;
            }
        }
        SyntaxNode kept = query.withoutStatementText();
        int length = context.length();
        return CommandStatement.of("PREPARE", () -> context.session().prepare(name, kept, length));
    }

    /** EXECUTE. */
    static SqlStatement execute(SyntaxNode statement, StatementContext context) {
        SyntaxNode query = executed(statement, context)
                .orElseThrow(() -> error(
                        statement.child(1).position(),
                        "No existing plan found for the execute statement. Please make sure to add one using prepare"));
        return StatementKinds.compile(query, context);
    }

    /** What a query with its values needs; a query that does not exist needs nothing. */
    static StatementNeeds needs(SyntaxNode statement, StatementContext context) {
        return executed(statement, context)
                .map(query -> QueryAccess.query(query, context))
                .orElse(StatementNeeds.of("QUERY"));
    }

    private static Optional<SyntaxNode> executed(SyntaxNode statement, StatementContext context) {
        List<SyntaxNode> values = statement.child(0).children();
        return context.session().prepared(name(statement)).map(query -> {
            int parameters = query.descendants(HiveParser.TOK_PARAMETER).size();
            if (parameters != values.size()) {
                throw error(
                        statement.child(0).position(),
                        "The prepared query " + name(statement) + " has " + parameters + " parameters, and USING has "
                                + values.size() + " values");
            }
            return bound(query, values.iterator());
        });
    }

    private static SkepException error(TextPosition position, String text) {
        return CompileErrors.plain(position, StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.GENERIC_ERROR, text);
    }

    /** Returns the tree with the next value in the place of each parameter, in the order of the text. */
    private static SyntaxNode bound(SyntaxNode node, Iterator<SyntaxNode> values) {
        if (node.is(HiveParser.TOK_PARAMETER)) {
            return values.next();
        }
        return node.childCount() == 0
                ? node
                : node.withChildren(node.children().stream()
                        .map(child -> bound(child, values))
                        .toList());
    }
}
