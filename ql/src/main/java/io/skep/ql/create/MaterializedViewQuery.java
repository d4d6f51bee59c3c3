package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * The query that fills a materialized view.
 *
 * @param query its columns are those of the view, in the view's order
 * @param sources the tables that it reads, directly or through views
 */
public record MaterializedViewQuery(AnalyzedQuery query, List<Table> sources) {
    /** Returns the query of a view that exists. */
    public static MaterializedViewQuery of(Table view, TextPosition where, StatementContext context) {
        String text = view.viewExpandedText()
                .or(view::viewOriginalText)
                .orElseThrow(
                        () -> new SkepException(StandardErrorCode.NOT_SUPPORTED, view.qualifiedName() + " has no query")
                                .at(where));
        OrganizedRows organized = OrganizedRows.of(view.properties());
        // The query may have clauses of its own that end it, and columns without names that clauses could use.
        String rows = organized.isEmpty()
                ? text
                : ViewText.selected(text, view.allColumns(), view.name()) + organized.clauses();
        AnalyzedQuery query = QueryAnalyzer.ofView(
                        view.qualifiedName(), new SessionAnalysisContext(context), new RelFactory())
                .analyze(new HiveSqlParser(context.settings().explicit()).parse(rows));
        context.access().check();
        return new MaterializedViewQuery(query, sources(query.inputs(), where, context));
    }

    /** @throws SkepException when the query reads no table, or what may be gone or be filled anew at any time */
    static List<Table> sources(Set<String> inputs, TextPosition where, StatementContext context) {
        List<Table> sources = new ArrayList<>();
        for (String input : inputs) {
            int dot = input.indexOf('.');
            String database = input.substring(0, dot);
            String name = input.substring(dot + 1);
            Optional<Table> temporary = context.session().temporaryTables().get(database, name);
            Table source = temporary
                    .or(() -> context.catalog().table(database, name))
                    .orElseThrow(() ->
                            new SkepException(StandardErrorCode.TABLE_NOT_FOUND, "Table not found " + input).at(where));
            if (temporary.isPresent()) {
                throw refused(where, "View definition references temporary table " + database + "@" + name);
            }
            if (source.storageHandler().isPresent()) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "a materialized view cannot read " + input + ", which has a storage handler")
                        .at(where);
            }
            if (source.isSystem()) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "a materialized view cannot read " + input + ", which belongs to the system")
                        .at(where);
            }
            if (source.kind() == Table.TableKind.MATERIALIZED_VIEW) {
                throw refused(where, "View definition references materialized view " + database + "@" + name);
            }
            if (source.kind() != Table.TableKind.VIRTUAL_VIEW) {
                sources.add(source);
            }
        }
        if (sources.isEmpty()) {
            throw refused(where, "Materialized view must have a table defined.");
        }
        return sources;
    }

    /** Requires that queries may be answered from a view, so that it is known what its rows come from. */
    public static void requireRewriting(List<Table> sources, TextPosition where) {
        if (!sources.stream().allMatch(Table::isTransactional)) {
            throw refused(
                    where,
                    "Automatic rewriting for materialized view cannot be enabled if the materialized view uses"
                            + " non-transactional tables");
        }
    }

    static SkepException refused(TextPosition where, String words) {
        return CompileErrors.plain(where, StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.GENERIC_ERROR, words);
    }
}
