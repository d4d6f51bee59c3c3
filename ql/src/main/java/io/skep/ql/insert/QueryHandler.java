package io.skep.ql.insert;

import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedInsert;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.query.QueryStatement;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.transaction.TransactionScope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Compiles queries, and INSERT with one or more destinations. */
public final class QueryHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        List<AnalyzedInsert> parts = new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory())
                .analyzeInserts(DefaultValues.inValues(statement, context));
        List<Destination> destinations =
                parts.size() == 1 && isClient(parts.getFirst().destination())
                        ? List.of()
                        : destinations(parts, context);
        context.access().check();
        HiddenRows.refuseLoss(parts, destinations, context);
        if (parts.size() == 1 && isClient(parts.getFirst().destination())) {
            return QueryStatement.of(parts.getFirst().query(), QueryCompiler.forClients(context), context);
        }
        if (KeptPartitions.any(destinations, context)) {
            return CommandStatement.of("QUERY", () -> {});
        }
        return WriteStatement.insert(
                writers(parts, destinations, context), parts.getFirst().query(), context);
    }

    /** Compiles an INSERT OVERWRITE of a table or partition with its own rows, which keeps the format. */
    public static SqlStatement rewriting(SyntaxNode statement, StatementContext context) {
        return ofServer(statement, Destination::asRewrite, context);
    }

    /** Runs a write that is the work of a command, which it commits. The write is closed. */
    public static void run(SqlStatement write, CommandRun run) {
        try (write) {
            boolean _ = run.runQuery(write, () -> {
                write.run(run);
                return true;
            });
        }
    }

    /** Compiles an INSERT that the server runs for a statement, which has declared what it needs. */
    static SqlStatement ofServer(SyntaxNode statement, StatementContext context) {
        return ofServer(statement, destination -> destination, context);
    }

    private static SqlStatement ofServer(
            SyntaxNode statement, UnaryOperator<Destination> kind, StatementContext context) {
        List<AnalyzedInsert> parts =
                new QueryAnalyzer(SessionAnalysisContext.ofServer(context), new RelFactory()).analyzeInserts(statement);
        List<Destination> destinations =
                destinations(parts, context).stream().map(kind).toList();
        return WriteStatement.insert(
                writers(parts, destinations, context), parts.getFirst().query(), context);
    }

    private static List<Destination> destinations(List<AnalyzedInsert> parts, StatementContext context) {
        return parts.stream().map(part -> destination(part, context)).toList();
    }

    private static List<TableWriter> writers(
            List<AnalyzedInsert> parts, List<Destination> destinations, StatementContext context) {
        List<TableWriter> writers = new ArrayList<>();
        TransactionScope scope = context.newTransactionScope();
        Destination.refuseRepeated(destinations);
        DirectoryDestination.refuseOverlaps(destinations, context);
        for (int i = 0; i < parts.size(); i++) {
            writers.add(InsertPlanning.plan(destinations.get(i), i, parts.get(i).query(), scope, context));
        }
        return writers;
    }

    /** Whether the destination is the TOK_DIR that Hive's grammar uses for results to clients. */
    public static boolean isClient(SyntaxNode destination) {
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
