package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Expands views. The stored text of a view is analyzed in the view's own database. Its columns have the types that they
 * have now, which are not those that DESCRIBE shows where a table has changed since, as in Hive.
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
        return relation;
    }

    /** Returns the columns of a view's query. The partition columns come last. */
    static List<FieldSchema> columns(Table view) {
        List<FieldSchema> columns = new ArrayList<>(view.columns());
        columns.addAll(view.partitionKeys());
        return columns;
    }
}
