package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedInsert;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A query that a statement runs for its own use, over the data themselves. */
public final class InnerQuery {
    private InnerQuery() {}

    /**
     * @param run the statement's run, which cancels the query when the statement is cancelled
     * @throws SkepException the query's failure
     */
    public static List<List<Datum>> rows(String sql, CommandRun run, StatementContext context) {
        SyntaxNode query = new HiveSqlParser(context.settings().explicit()).parse(sql);
        AnalyzedInsert part = new QueryAnalyzer(SessionAnalysisContext.ofServer(context), new RelFactory())
                .analyzeInserts(query)
                .getFirst();
        try (SqlStatement statement = QueryStatement.of(part.query(), QueryCompiler.forReading(context), context)) {
            return run.runQuery(statement, () -> rows(statement));
        }
    }

    private static List<List<Datum>> rows(SqlStatement statement) {
        statement.run(line -> {});
        List<ResultColumn> columns = statement.schema().orElseThrow().columns();
        List<List<Datum>> rows = new ArrayList<>();
        ResultStream results = statement.results();
        for (Optional<Batch> batch = results.next(); batch.isPresent(); batch = results.next()) {
            add(batch.get(), columns, rows);
        }
        return rows;
    }

    private static void add(Batch batch, List<ResultColumn> columns, List<List<Datum>> rows) {
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Datum> values = new ArrayList<>(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                values.add(Datum.of(batch.column(i), row, columns.get(i).type()));
            }
            rows.add(values);
        }
    }
}
