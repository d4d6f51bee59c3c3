package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A query that a statement asks for its own use, of the data themselves. */
final class InnerQuery {
    private InnerQuery() {}

    /**
     * @param run of the statement, which ends the query when it is cancelled
     * @throws SkepException what the query fails with
     */
    static List<List<Datum>> rows(String sql, CommandRun run, StatementContext context) {
        SyntaxNode query = new HiveSqlParser(context.settings().explicit()).parse(sql);
        try (SqlStatement statement = QueryHandler.inner(query, context)) {
            return run.asking(statement, () -> rows(statement));
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
