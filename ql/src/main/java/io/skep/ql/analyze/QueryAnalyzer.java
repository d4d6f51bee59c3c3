package io.skep.ql.analyze;

import io.skep.common.type.SqlType;
import io.skep.metastore.Table;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The entry point of the analyzer. Analyzes queries, sources of INSERT, and standalone expressions. Each statement has
 * one instance.
 */
public final class QueryAnalyzer {
    private final Environment environment;
    private final Set<String> inputs = new LinkedHashSet<>();
    private final NamedTables named = new NamedTables();
    private final Set<TextEdit> edits = new LinkedHashSet<>();

    public QueryAnalyzer(AnalysisContext context, RelFactory factory) {
        this(context, factory, List.of());
    }

    private QueryAnalyzer(AnalysisContext context, RelFactory factory, List<String> views) {
        environment = new Environment(
                factory,
                context,
                inputs,
                named,
                edits,
                QueryAnalyzer::nested,
                CommonTables.NONE,
                context.currentDatabase(),
                views,
                new Expansion());
    }

    /**
     * Returns an analyzer for the text of a view. The text must not read the view itself, directly or through other
     * views.
     *
     * @param view the view's name with its database
     */
    public static QueryAnalyzer ofView(String view, AnalysisContext context, RelFactory factory) {
        return new QueryAnalyzer(context, factory, List.of(view));
    }

    /** @param query TOK_QUERY whose rows go to the client, or a set operation */
    public AnalyzedQuery analyze(SyntaxNode query) {
        if (SetOperations.isSetOperation(query)) {
            AnalyzedQuery result = result(new SetOperations(environment).analyze(query, Optional.empty()));
            record(List.of(result.rel()));
            return result;
        }
        List<AnalyzedInsert> parts = analyzeInserts(query);
        if (parts.size() != 1) {
            throw SemanticErrors.semantic(query, "one query is expected here, not " + parts.size());
        }
        return parts.getFirst().query();
    }

    /** Returns the text of an analyzed query with resolved tables and expanded stars. A view stores this text. */
    public String expandedText(SyntaxNode query) {
        return TextEdit.apply(query, edits);
    }

    /**
     * Resolves the name of a table or view outside of what is analyzed, for {@link #expandedText}.
     *
     * @param name TOK_TABNAME without a database
     */
    public void expandName(SyntaxNode name) {
        edits.add(TextEdit.of(
                name, TextEdit.quoted(environment.database()) + "." + TextEdit.quoted(Names.of(name.child(0)))));
    }

    /**
     * Analyzes all destinations of {@code FROM ... INSERT ... INSERT ...}, or the only one of a plain query. The
     * destinations share the source.
     */
    public List<AnalyzedInsert> analyzeInserts(SyntaxNode query) {
        Environment inner = withCommonTables(query, environment);
        Scope source = source(query, inner, Optional.empty());
        List<AnalyzedInsert> parts = new ArrayList<>();
        for (SyntaxNode block : query.all(HiveParser.TOK_INSERT)) {
            Relation relation = new SelectBlock(inner, block, false).analyze(source);
            parts.add(new AnalyzedInsert(block.child(0), result(relation)));
        }
        record(parts.stream().map(part -> part.query().rel()).toList());
        return parts;
    }

    /** Analyzes an expression without columns, such as a partition value or a DEFAULT. */
    public RexNode analyzeConstant(SyntaxNode expression) {
        return recorded(new ExpressionAnalyzer(environment, OneRow.scope(environment.factory()), Optional.empty())
                .analyze(expression));
    }

    private void record(List<RelNode> queries) {
        if (environment.context().wantsReads()) {
            ColumnReads reads = new ColumnReads(named);
            queries.forEach(reads::query);
            environment.context().recordReads(reads.found());
        }
    }

    private RexNode recorded(RexNode expression) {
        if (environment.context().wantsReads()) {
            environment
                    .context()
                    .recordReads(new ColumnReads(named).expression(expression).found());
        }
        return expression;
    }

    /** Analyzes a condition over one relation's columns, such as a row filter, a CHECK or a partition filter. */
    public RexNode analyzeCondition(SyntaxNode expression, RelNode rel) {
        return recorded(over(rel).condition(expression));
    }

    /** Analyzes an expression over one relation's columns. */
    public RexNode analyzeExpression(SyntaxNode expression, RelNode rel) {
        return recorded(over(rel).analyze(expression));
    }

    /**
     * Returns an expression for the bucket that a row of a bucketed table belongs to, an int from 0.
     *
     * @param rel a relation with the table's data columns
     */
    public RexNode analyzeBucket(SyntaxNode where, Table table, RelNode rel) {
        ExpressionAnalyzer expressions = over(rel);
        List<RexNode> keys = new ArrayList<>();
        for (String name : table.storage().bucketColumns()) {
            int column = rel.getRowType().getFieldNames().indexOf(name);
            if (column < 0) {
                throw SemanticErrors.semantic(
                        where, "bucket column '" + name + "' is no column of " + table.qualifiedName());
            }
            keys.add(environment.factory().column(rel, column));
        }
        FunctionCalls functions = new FunctionCalls(environment, expressions);
        return BucketNumbers.of(where, table, table.storage().buckets(), keys, functions);
    }

    private ExpressionAnalyzer over(RelNode rel) {
        List<ScopeColumn> columns = rel.getRowType().getFieldNames().stream()
                .map(name -> ScopeColumn.of("", name))
                .toList();
        Scope scope = new Scope(environment.factory(), rel, columns, Optional.empty());
        return new ExpressionAnalyzer(environment, scope, Optional.empty());
    }

    static Relation nested(SyntaxNode query, Environment environment, Optional<Resolver> outer) {
        if (SetOperations.isSetOperation(query)) {
            return new SetOperations(environment).analyze(query, outer);
        }
        if (!query.is(HiveParser.TOK_QUERY)) {
            throw SemanticErrors.notSupported(query, "'" + query.text() + "' as a subquery");
        }
        List<SyntaxNode> blocks = query.all(HiveParser.TOK_INSERT);
        if (blocks.size() != 1) {
            throw SemanticErrors.semantic(query, "a subquery has one SELECT, this one has " + blocks.size());
        }
        Environment inner = withCommonTables(query, environment);
        return new SelectBlock(inner, blocks.getFirst(), true).analyze(source(query, inner, outer));
    }

    private static Environment withCommonTables(SyntaxNode query, Environment environment) {
        return query.first(HiveParser.TOK_CTE)
                .map(with -> environment.with(CommonTables.of(with, environment.commonTables())))
                .orElse(environment);
    }

    private static Scope source(SyntaxNode query, Environment environment, Optional<Resolver> outer) {
        return query.first(HiveParser.TOK_FROM)
                .map(from -> new FromClause(environment, outer).analyze(from.child(0)))
                .orElseGet(() -> OneRow.scope(environment.factory(), outer));
    }

    private AnalyzedQuery result(Relation relation) {
        List<SqlType> types = TypeMapping.columnTypes(relation.rel().getRowType());
        boolean qualified = environment.context().flag("hive.resultset.use.unique.column.names", true);
        List<ResultColumn> columns = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (int i = 0; i < types.size(); i++) {
            Relation.OutputColumn column = relation.columns().get(i);
            String shown =
                    qualified && !column.table().isEmpty() ? column.table() + "." + column.name() : column.name();
            columns.add(new ResultColumn(unique(shown, used), types.get(i), ""));
            names.add(column.name());
        }
        return new AnalyzedQuery(relation.rel(), columns, names, inputs);
    }

    private static String unique(String name, Set<String> used) {
        String candidate = name;
        for (int i = 1; !used.add(candidate); i++) {
            candidate = name + "_" + i;
        }
        return candidate;
    }
}
