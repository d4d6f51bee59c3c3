package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.Formats;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * The definition of a view, derived from its query: columns and texts.
 *
 * @param partitionKeys the last columns, if the view is partitioned
 * @param original the text as the user wrote it
 * @param expanded the text with tables and columns qualified in full
 */
public record ViewDefinition(
        StorageDescriptor storage, List<FieldSchema> partitionKeys, String original, String expanded) {
    /** @param columns TOK_TABCOL nodes that rename the columns */
    public static ViewDefinition of(
            TableName view,
            SyntaxNode query,
            List<SyntaxNode> columns,
            Optional<SyntaxNode> partitionedOn,
            StatementContext context) {
        QueryAnalyzer analyzer =
                QueryAnalyzer.ofView(view.qualified(), new SessionAnalysisContext(context), new RelFactory());
        AnalyzedQuery analyzed = analyzer.analyze(query);
        context.access().check();
        refuseTemporary(analyzed, query, context);
        if (!columns.isEmpty() && columns.size() != analyzed.names().size()) {
            throw CompileErrors.near(
                    columns.getFirst(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.VIEW_COL_MISMATCH.getMsg() + ": "
                            + analyzed.names().size() + " and " + columns.size());
        }
        List<FieldSchema> fields = new ArrayList<>();
        for (int i = 0; i < analyzed.names().size(); i++) {
            fields.add(
                    columns.isEmpty()
                            ? new FieldSchema(
                                    analyzed.names().get(i), analyzed.types().get(i), Optional.empty())
                            : renamed(columns.get(i), analyzed, i));
        }
        String expanded = analyzer.expandedText(query).strip();
        String text = columns.isEmpty() ? expanded : ViewText.renamed(expanded, analyzed.names(), fields, view.table());
        int keys = partitionedOn.map(clause -> partitionKeys(clause, fields)).orElse(0);
        int stored = fields.size() - keys;
        return new ViewDefinition(
                storage(fields.subList(0, stored)),
                fields.subList(stored, fields.size()),
                query.source().strip(),
                text);
    }

    /** Other sessions do not have the temporary tables of this one, which end with it. */
    private static void refuseTemporary(AnalyzedQuery analyzed, SyntaxNode query, StatementContext context) {
        for (Table temporary : context.session().temporaryTables().all()) {
            if (analyzed.inputs().contains(temporary.qualifiedName())) {
                throw CompileErrors.plain(
                        query.position(),
                        StandardErrorCode.SEMANTIC_ERROR,
                        ErrorMsg.GENERIC_ERROR,
                        "View definition references temporary table " + temporary.database() + "@" + temporary.name());
            }
        }
    }

    /** Returns the number of columns, counted from the last, that are named as partition columns. */
    private static int partitionKeys(SyntaxNode clause, List<FieldSchema> fields) {
        List<String> keys =
                clause.child(0).children().stream().map(SyntaxText::identifier).toList();
        List<String> names = fields.stream().map(FieldSchema::name).toList();
        if (keys.size() >= names.size()) {
            throw CompileErrors.plain(
                    clause.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.VIEW_PARTITION_TOTAL);
        }
        if (!names.subList(names.size() - keys.size(), names.size()).equals(keys)) {
            throw CompileErrors.plain(
                            clause.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.VIEW_PARTITION_MISMATCH)
                    .withHint("the view's columns are " + String.join(", ", names));
        }
        return keys.size();
    }

    private static FieldSchema renamed(SyntaxNode column, AnalyzedQuery query, int index) {
        Optional<String> comment =
                column.childCount() > 2 ? Optional.of(SyntaxText.string(column.child(2))) : Optional.empty();
        return new FieldSchema(
                SyntaxText.identifier(column.child(0)), query.types().get(index), comment);
    }

    private static StorageDescriptor storage(List<FieldSchema> columns) {
        HiveClasses text = Formats.named("textfile");
        TableFormat format = new TableFormat(text.inputFormat(), text.outputFormat(), "", Map.of());
        return new StorageDescriptor(columns, "", format, false, -1, List.of(), List.of());
    }
}
