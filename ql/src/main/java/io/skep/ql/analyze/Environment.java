package io.skep.ql.analyze;

import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What all parts of one analysis share.
 *
 * @param inputs collects the tables and views that the query reads
 * @param edits collects names of the text that were resolved
 * @param queries analyzes inner queries
 * @param database where names of tables without a database are looked up: the session's, or a view's own
 */
record Environment(
        RelFactory factory,
        AnalysisContext context,
        Set<String> inputs,
        Set<TextEdit> edits,
        Queries queries,
        CommonTables commonTables,
        String database) {
    /** Analyzes a query inside of another one. */
    interface Queries {
        /** @param outer names of the outer query, when the inner one may use them */
        Relation analyze(SyntaxNode query, Environment environment, Optional<Resolver> outer);
    }

    Environment with(CommonTables tables) {
        return new Environment(factory, context, inputs, edits, queries, tables, database);
    }

    /** For the text of a view: its database, and no common table of the query that uses it. */
    Environment forView(String viewDatabase) {
        return new Environment(factory, context, inputs, new HashSet<>(), queries, CommonTables.NONE, viewDatabase);
    }

    Relation analyze(SyntaxNode query, Optional<Resolver> outer) {
        return queries.analyze(query, this, outer);
    }
}
