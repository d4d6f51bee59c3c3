package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.insert.Destination;
import io.skep.ql.insert.InsertPlanning;
import io.skep.ql.insert.TableCreation;
import io.skep.ql.insert.WriteStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** CREATE TABLE ... AS query. The table is created when its rows have been written. */
final class CreateTableAsSelect {
    private final SyntaxNode statement;
    private final TableName name;
    private final StatementContext context;

    CreateTableAsSelect(SyntaxNode statement, TableName name, StatementContext context) {
        this.statement = statement;
        this.name = name;
        this.context = context;
    }

    SqlStatement compile(SyntaxNode querySyntax) {
        if (CreateTableHandler.isExternal(statement) && !context.settings().getBoolean("hive.ctas.external.tables")) {
            throw CompileErrors.plain(
                            statement.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.CTAS_EXTTBL_COEXISTENCE)
                    .withHint("create the table, then INSERT into it");
        }
        statement.first(HiveParser.TOK_TABCOLLIST).ifPresent(columns -> {
            throw CompileErrors.plain(
                    columns.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.CTAS_COLLST_COEXISTENCE);
        });
        AnalyzedQuery query =
                new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory()).analyze(querySyntax);
        context.access().check();
        QueryColumns columns = QueryColumns.of(query, partitioning(), statement);
        Table table = CreateTableHandler.table(statement, name, columns.data(), columns.keys(), context);
        Destination destination =
                new Destination(table, false, Map.of(), columns.keyNames(), columns.listed(), statement);
        return WriteStatement.create(
                InsertPlanning.plan(destination, query, context), query, commit -> creation(table, commit), context);
    }

    /** Returns the columns of the query that PARTITIONED BY makes the partition columns, in its order. */
    private List<String> partitioning() {
        return statement
                .first(HiveParser.TOK_TABLEPARTCOLNAMES)
                .map(node ->
                        node.children().stream().map(SyntaxText::identifier).toList())
                .orElse(List.of());
    }

    private TableCreation creation(Table table, String commit) {
        if (CreateTableHandler.isTemporary(statement)) {
            return new TableCreation(
                    Optional.empty(),
                    () -> CreateTableHandler.create(table, List.of(), true, context),
                    () -> DropTableHandler.dropTemporary(table, context));
        }
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.put(CommitRequest.CREATED_BY, commit);
        Table marked = table.withProperties(properties);
        return TableCreation.of(
                new CommitRequest.Created(marked, () -> CreateTableHandler.create(marked, List.of(), false, context)));
    }
}
