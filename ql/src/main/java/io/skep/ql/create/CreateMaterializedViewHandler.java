package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Materialization;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.insert.MaterializedRows;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import io.skep.storage.table.TableFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * CREATE MATERIALIZED VIEW [IF NOT EXISTS] name [DISABLE REWRITE] [COMMENT] [PARTITIONED ON] [CLUSTERED ON |
 * DISTRIBUTED ON ... SORTED ON] [ROW FORMAT] [STORED AS] [LOCATION] [TBLPROPERTIES] AS query. The view is created when
 * its rows have been written.
 */
public final class CreateMaterializedViewHandler implements StatementHandler {
    private static final String OPERATION = "CREATE_MATERIALIZED_VIEW";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        context.database(name.database(), name.position());
        CreateTableHandler.checkName(name, context);
        if (context.session().table(name.database(), name.table()).isPresent()) {
            if (statement.has(HiveParser.TOK_IFNOTEXISTS)) {
                return CommandStatement.changing(OPERATION, run -> {});
            }
            throw CompileErrors.plain(
                    name.position(),
                    StandardErrorCode.TABLE_EXISTS,
                    ErrorMsg.GENERIC_ERROR,
                    "Table already exists: " + name.qualified());
        }
        SyntaxNode querySyntax = statement.child(statement.childCount() - 1);
        QueryAnalyzer analyzer =
                QueryAnalyzer.ofView(name.qualified(), new SessionAnalysisContext(context), new RelFactory());
        AnalyzedQuery query = analyzer.analyze(querySyntax);
        context.access().check();
        List<Table> sources = MaterializedViewQuery.sources(query.inputs(), name.position(), context);
        boolean rewriting = !statement.has(HiveParser.TOK_REWRITE_DISABLED);
        if (rewriting) {
            MaterializedViewQuery.requireRewriting(sources, name.position());
        }
        QueryColumns columns =
                QueryColumns.of(query, OrganizedRows.columns(statement, HiveParser.TOK_VIEWPARTCOLS), statement);
        refuseRepeated(query.names(), statement);
        OrganizedRows organized = OrganizedRows.of(statement);
        organized.check(columns, statement);
        Table stored = CreateTableHandler.table(statement, name, columns.data(), columns.keys(), context);
        String text = analyzer.expandedText(querySyntax).strip();
        String expanded = columns.keys().isEmpty() ? text : ViewText.selected(text, stored.allColumns(), stored.name());
        Map<String, String> properties = new TreeMap<>(stored.properties());
        organized.store(properties);
        Table view = withoutDefaults(stored, statement)
                .withProperties(properties)
                .asMaterializedView(
                        querySyntax.source().strip(),
                        expanded,
                        new Materialization(List.of(), Optional.empty(), 0, rewriting));
        AnalyzedQuery rows = columns.keys().isEmpty() && organized.isEmpty()
                ? query
                : MaterializedViewQuery.of(view, name.position(), context).query();
        return MaterializedRows.create(
                view, sources, rows, statement, made -> context.catalog().createTable(made, List.of()), context);
    }

    /** Other than a table, a view has no properties of its SerDe that the statement does not write. */
    private static Table withoutDefaults(Table stored, SyntaxNode statement) {
        TableFormat format = stored.storage().format();
        if (statement.has(HiveParser.TOK_TABLEROWFORMAT) || statement.has(HiveParser.TOK_TABLESERIALIZER)) {
            return stored;
        }
        return stored.withStorage(stored.storage()
                .withFormat(new TableFormat(format.inputFormat(), format.outputFormat(), format.serde(), Map.of())));
    }

    private static void refuseRepeated(List<String> names, SyntaxNode statement) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw CompileErrors.plain(
                        statement.position(),
                        StandardErrorCode.COLUMN_EXISTS,
                        ErrorMsg.DUPLICATE_COLUMN_NAMES,
                        ErrorMsg.DUPLICATE_COLUMN_NAMES.getMsg() + " " + name);
            }
        }
    }
}
