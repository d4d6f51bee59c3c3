package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FieldSchema;
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
import java.util.ArrayList;
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
        if (CreateTableHandler.isExternal(statement)) {
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
        List<FieldSchema> columns = columns(query);
        List<FieldSchema> keys = partitionKeys(columns);
        List<FieldSchema> data =
                columns.stream().filter(column -> !keys.contains(column)).toList();
        Table table = CreateTableHandler.table(statement, name, data, keys, context);
        List<String> keyNames = keys.stream().map(FieldSchema::name).toList();
        List<String> given = keys.isEmpty()
                ? List.of()
                : columns.stream().map(FieldSchema::name).toList();
        Destination destination = new Destination(table, false, Map.of(), keyNames, given, statement);
        return WriteStatement.create(
                InsertPlanning.plan(destination, query, context), query, commit -> creation(table, commit), context);
    }

    /**
     * Returns the partition columns. PARTITIONED BY names columns of the query; they become the partition columns in
     * the order of that clause.
     */
    private List<FieldSchema> partitionKeys(List<FieldSchema> columns) {
        List<String> wanted = statement
                .first(HiveParser.TOK_TABLEPARTCOLNAMES)
                .map(node ->
                        node.children().stream().map(SyntaxText::identifier).toList())
                .orElse(List.of());
        List<FieldSchema> keys = new ArrayList<>();
        for (String key : wanted) {
            keys.add(columns.stream()
                    .filter(column -> column.name().equals(key))
                    .findFirst()
                    .orElseThrow(() -> CompileErrors.plain(
                            statement.position(),
                            StandardErrorCode.SEMANTIC_ERROR,
                            ErrorMsg.GENERIC_ERROR,
                            "Table declaration contains partition columns that are not present in query result"
                                    + " schema. Query columns: "
                                    + columns.stream().map(FieldSchema::name).toList()
                                    + ". Partition columns: " + wanted)));
        }
        return keys;
    }

    private List<FieldSchema> columns(AnalyzedQuery query) {
        List<FieldSchema> columns = new ArrayList<>();
        for (int i = 0; i < query.names().size(); i++) {
            SqlType type = query.types().get(i);
            if (type == PrimitiveType.VOID) {
                throw CompileErrors.plain(
                        statement.position(),
                        StandardErrorCode.SEMANTIC_ERROR,
                        ErrorMsg.CTAS_CREATES_VOID_TYPE,
                        ErrorMsg.CTAS_CREATES_VOID_TYPE.getMsg() + " "
                                + query.names().get(i));
            }
            columns.add(new FieldSchema(name(query, i), type, Optional.empty()));
        }
        return columns;
    }

    /**
     * Returns a column's name. A name that the query uses a second time is replaced, unless it is the name of a table's
     * column, qualified in full.
     */
    private static String name(AnalyzedQuery query, int index) {
        String name = query.names().get(index);
        String shown = query.columns().get(index).name();
        boolean again = query.names().subList(0, index).contains(name);
        return again && shown.indexOf('.') < 0 ? shown : name;
    }

    private TableCreation creation(Table table, String commit) {
        if (CreateTableHandler.isTemporary(statement)) {
            return new TableCreation(
                    Optional.empty(),
                    () -> CreateTableHandler.create(table, List.of(), true, context),
                    () -> context.catalog().dropTable(table.database(), table.name(), DroppedFiles.PURGED));
        }
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.put(CommitRequest.CREATED_BY, commit);
        Table marked = table.withProperties(properties);
        return TableCreation.of(
                new CommitRequest.Created(marked, () -> CreateTableHandler.create(marked, List.of(), false, context)));
    }
}
