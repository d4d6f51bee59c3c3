package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The state that all parts of one analysis share.
 *
 * @param inputs collects the tables and views that the query reads
 * @param named collects the tables and views that the text itself names
 * @param edits collects the resolved names in the text
 * @param queries analyzes inner queries
 * @param database the database for table names without a database: the session's, or a view's own
 * @param views the views and tables whose texts and policies are being analyzed, the outermost first
 */
record Environment(
        RelFactory factory,
        AnalysisContext context,
        Set<String> inputs,
        NamedTables named,
        Set<TextEdit> edits,
        Queries queries,
        CommonTables commonTables,
        String database,
        List<String> views,
        Expansion expansion) {
    /** Analyzes a query that is nested in another one. */
    interface Queries {
        /** @param outer resolves names of the outer query, if the inner query may use them */
        Relation analyze(SyntaxNode query, Environment environment, Optional<Resolver> outer);
    }

    Environment with(CommonTables tables) {
        return new Environment(factory, context, inputs, named, edits, queries, tables, database, views, expansion);
    }

    /**
     * Returns the environment for the text of a view. It uses the view's database and sees no common table of the query
     * that uses the view.
     */
    Environment forView(Table view) {
        return new Environment(
                factory,
                context,
                inputs,
                new NamedTables(),
                new HashSet<>(),
                queries,
                CommonTables.NONE,
                view.database(),
                viewsWith(view),
                expansion);
    }

    /**
     * Returns the environment for the texts of a table's policies. They see nothing of the query and of the session,
     * and what they read is the matter of the table's owner.
     */
    Environment forPolicies(Table table) {
        return new Environment(
                factory,
                context.forPolicies(),
                inputs,
                new NamedTables(),
                new HashSet<>(),
                queries,
                CommonTables.NONE,
                table.database(),
                viewsWith(table),
                expansion);
    }

    /**
     * Rejects a view whose text refers to itself, and a table whose policies read it.
     *
     * @throws SkepException RECURSIVE_VIEW if the view, or the policies of the table, are being analyzed
     */
    void refuseCycle(SyntaxNode where, Table view) {
        if (views.contains(view.qualifiedName())) {
            throw SemanticErrors.error(
                    StandardErrorCode.RECURSIVE_VIEW,
                    where,
                    "Recursive " + (view.kind() == Table.TableKind.VIRTUAL_VIEW ? "view " : "row filter or mask of ")
                            + view.qualifiedName() + " detected (cycle: "
                            + String.join(" -> ", viewsWith(view)) + ").");
        }
    }

    private List<String> viewsWith(Table view) {
        List<String> all = new ArrayList<>(views);
        all.add(view.qualifiedName());
        return List.copyOf(all);
    }

    /** Refuses what Hive can only plan with its cost-based optimizer, if the session switches that off. */
    void requireCostBasedOptimizer(SyntaxNode where, String words) {
        if (!context.flag("hive.cbo.enable", true)) {
            throw SemanticErrors.plain(where, words).withHint("set hive.cbo.enable=true");
        }
    }

    /** Returns the environment for a text that is not part of the query's own text. */
    Environment forOtherText() {
        return new Environment(
                factory, context, inputs, named, new HashSet<>(), queries, commonTables, database, views, expansion);
    }

    /** Records the full name of a column that the text mentions, if its table has a name. */
    void resolved(SyntaxNode where, String table, String name, Resolver resolver) {
        resolver.namedColumns().stream()
                .filter(column -> column.name().equals(name)
                        && (table.isEmpty() || column.table().equals(table)))
                .sorted(Comparator.comparing(column -> !column.visible()))
                .findFirst()
                .filter(column -> !column.table().isEmpty())
                .ifPresent(column -> edits.add(
                        TextEdit.of(where, TextEdit.quoted(column.table()) + "." + TextEdit.quoted(column.name()))));
    }

    /** Records a name that the text gives to a table or a column. */
    void named(SyntaxNode identifier) {
        edits.add(TextEdit.of(identifier, TextEdit.quoted(Names.of(identifier))));
    }

    Relation analyze(SyntaxNode query, Optional<Resolver> outer) {
        return queries.analyze(query, this, outer);
    }
}
