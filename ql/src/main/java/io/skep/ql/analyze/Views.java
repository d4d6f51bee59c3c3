package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;

/**
 * Expands views. The stored text of a view is analyzed in the view's own database and converted to the view's column
 * types.
 */
final class Views {
    private Views() {}

    static Relation expand(SyntaxNode where, Table view, Environment environment) {
        String text = view.viewExpandedText()
                .or(view::viewOriginalText)
                .orElseThrow(() -> SemanticErrors.semantic(where, "view '" + view.qualifiedName() + "' has no text"));
        Relation relation;
        try {
            SyntaxNode query = new HiveSqlParser(environment.context().settings()).parse(text);
            environment.expansion().add(where, query);
            relation = environment.forView(view).analyze(query, Optional.empty());
        } catch (SkepException e) {
            if (e.code() == StandardErrorCode.RECURSIVE_VIEW || e.code() == StandardErrorCode.MEMORY_LIMIT_EXCEEDED) {
                throw e;
            }
            throw new SkepException(
                            e.code(), "view '" + view.qualifiedName() + "' is no longer valid: " + e.fullMessage(), e)
                    .at(where.position());
        }
        List<FieldSchema> columns = columns(view);
        if (relation.columns().size() != columns.size()) {
            throw SemanticErrors.semantic(
                    where,
                    "view '" + view.qualifiedName() + "' has " + columns.size() + " columns, its query "
                            + relation.columns().size());
        }
        return relation.over(converted(relation.rel(), columns, environment));
    }

    /** Returns the columns of a view's query. The partition columns come last. */
    static List<FieldSchema> columns(Table view) {
        List<FieldSchema> columns = new ArrayList<>(view.columns());
        columns.addAll(view.partitionKeys());
        return columns;
    }

    private static RelNode converted(RelNode rel, List<FieldSchema> columns, Environment environment) {
        List<SqlType> types = TypeMapping.columnTypes(rel.getRowType());
        List<SqlType> declared = columns.stream().map(FieldSchema::type).toList();
        if (types.equals(declared)) {
            return rel;
        }
        List<RexNode> values = new ArrayList<>();
        for (int i = 0; i < declared.size(); i++) {
            values.add(environment.factory().rex().cast(environment.factory().column(rel, i), declared.get(i)));
        }
        return LogicalProject.create(rel, List.of(), values, rel.getRowType().getFieldNames(), java.util.Set.of());
    }
}
