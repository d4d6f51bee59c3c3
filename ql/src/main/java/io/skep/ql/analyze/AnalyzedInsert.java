package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;

/**
 * One destination of a statement and the query that supplies its rows.
 *
 * @param destination TOK_DESTINATION (INSERT OVERWRITE, or the client) or TOK_INSERT_INTO
 */
public record AnalyzedInsert(SyntaxNode destination, AnalyzedQuery query) {}
