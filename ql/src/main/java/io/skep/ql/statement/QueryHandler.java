package io.skep.ql.statement;

import io.skep.ql.ResultSchema;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedInsert;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Queries, and INSERT with one or more destinations. */
final class QueryHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        List<AnalyzedInsert> parts = new QueryAnalyzer(new SessionAnalysis(context), new RelFactory())
                .analyzeInserts(DefaultValues.inValues(statement, context));
        if (parts.size() == 1 && isClient(parts.getFirst().destination())) {
            return query(parts.getFirst().query(), context.compiler(), context);
        }
        return WriteStatement.insert(writers(parts, destinations(parts, context), context), context);
    }

    /** An INSERT OVERWRITE of a table or partition with its own rows, which stays stored as it is. */
    static SqlStatement rewriting(SyntaxNode statement, StatementContext context) {
        List<AnalyzedInsert> parts = new QueryAnalyzer(new SessionAnalysis(context), new RelFactory())
                .analyzeInserts(DefaultValues.inValues(statement, context));
        List<Destination> destinations = destinations(parts, context).stream()
                .map(Destination::ofItsOwnRows)
                .toList();
        return WriteStatement.insert(writers(parts, destinations, context), context);
    }

    private static List<Destination> destinations(List<AnalyzedInsert> parts, StatementContext context) {
        return parts.stream().map(part -> destination(part, context)).toList();
    }

    private static List<TableWriter> writers(
            List<AnalyzedInsert> parts, List<Destination> destinations, StatementContext context) {
        List<TableWriter> writers = new ArrayList<>();
        Destination.refuseRepeated(destinations);
        DirectoryDestination.refuseOverlaps(destinations, context);
        for (int i = 0; i < parts.size(); i++) {
            writers.add(InsertPlanning.plan(destinations.get(i), parts.get(i).query(), context));
        }
        return writers;
    }

    /** A query for a statement's own use. */
    static SqlStatement inner(SyntaxNode query, StatementContext context) {
        AnalyzedInsert part = new QueryAnalyzer(new SessionAnalysis(context), new RelFactory())
                .analyzeInserts(query)
                .getFirst();
        return query(part.query(), context.readingCompiler(), context);
    }

    private static SqlStatement query(AnalyzedQuery query, QueryCompiler compiler, StatementContext context) {
        QueryCompiler.Compiled compiled = compiler.query(query.rel(), query.names());
        PhysicalPlan plan = compiled.plan();
        return new QueryStatement(
                new ResultSchema(query.columns()),
                plan,
                context.services().runs().of(new ListedPlan(plan, context)));
    }

    /** TOK_DIR of the place that results for clients have in Hive's grammar. */
    private static boolean isClient(SyntaxNode destination) {
        return destination.is(HiveParser.TOK_DESTINATION)
                && destination.child(0).is(HiveParser.TOK_DIR)
                && destination.child(0).child(0).is(HiveParser.TOK_TMP_FILE);
    }

    private static Destination destination(AnalyzedInsert part, StatementContext context) {
        SyntaxNode target = part.destination().child(0);
        return target.is(HiveParser.TOK_DIR)
                ? DirectoryDestination.of(part.destination(), part.query(), context)
                : Destination.of(part.destination(), context);
    }
}
