package io.skep.ql.compiler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.LockComponent;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedInsert;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.explain.PlanJson;
import io.skep.ql.insert.DefaultValues;
import io.skep.ql.insert.QueryHandler;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.query.ExplainAnalyzeStatement;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.query.QueryStatement;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.AnalyzableStatement;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.transaction.ScopedStatement;
import io.skep.ql.transaction.TransactionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.sql.SqlExplainFormat;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * EXPLAIN statement. Shows the plan as text; with AST the syntax tree, with CBO or LOGICAL the algebra after
 * optimization, with DEPENDENCY what the statement reads, with AUTHORIZATION also what it changes, with LOCKS the locks
 * of its transaction, with DDL the statements that make again what it reads. ANALYZE runs the statement, without its
 * commit, and shows its plan with what has happened. FORMATTED shows plan, algebra or authorization as JSON. EXTENDED,
 * VECTORIZATION and REOPTIMIZATION also show the plan, which is always complete, and not made anew while it runs.
 */
final class ExplainHandler implements StatementHandler {
    /** Forms that do not show the plan as text. */
    private static final List<String> OTHER_FORMS =
            List.of("ast", "cbo", "logical", "dependency", "authorization", "locks", "ddl", "formatted");

    /** All operators process columns in batches, so there is nothing else to say. */
    private static final String VECTORIZED =
            "PLAN VECTORIZATION:\n  enabled: true\n  enabledConditionsMet: [all operators are vectorized]\n\n";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        List<String> options = new ArrayList<>();
        for (SyntaxNode option : statement.children().subList(1, statement.childCount())) {
            options.add(option.text().toLowerCase(Locale.ROOT));
        }
        if (options.contains("analyze")) {
            refuseTogether(options, statement);
            return analyze(statement.child(0), context);
        }
        String text = text(options, statement.child(0), context);
        return CommandStatement.withText(
                "EXPLAIN",
                List.of("Explain"),
                log -> text.lines().map(line -> List.of(Optional.of(line))).toList());
    }

    /** ANALYZE shows a plan, and the other forms show something else. */
    private static void refuseTogether(List<String> options, SyntaxNode statement) {
        OTHER_FORMS.stream().filter(options::contains).findFirst().ifPresent(other -> {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "EXPLAIN ANALYZE together with " + other.toUpperCase(Locale.ROOT) + " is not supported")
                    .at(statement.position());
        });
    }

    private static SqlStatement analyze(SyntaxNode explained, StatementContext context) {
        SqlStatement compiled = StatementKinds.compile(explained, context);
        if (compiled instanceof AnalyzableStatement analyzable) {
            return new ExplainAnalyzeStatement(analyzable);
        }
        compiled.close();
        throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "EXPLAIN ANALYZE is for queries and for statements that write the rows of a query")
                .at(explained.position());
    }

    private static String text(List<String> options, SyntaxNode explained, StatementContext context) {
        if (options.contains("ast")) {
            StringBuilder tree = new StringBuilder("ABSTRACT SYNTAX TREE:\n  \n");
            appendTree(explained, 0, tree);
            return tree.toString();
        }
        boolean isFormatted = options.contains("formatted");
        if (options.contains("cbo") || options.contains("logical")) {
            return isFormatted
                    ? json(queries(explained, context)).toString()
                    : algebra(options.contains("cbo") ? "CBO PLAN:\n" : "LOGICAL PLAN:\n", explained, context);
        }
        if (options.contains("dependency")) {
            return dependency(explained, context);
        }
        if (options.contains("authorization")) {
            ExplainAuthorization authorization = ExplainAuthorization.of(explained, context);
            return isFormatted ? authorization.json() : authorization.text();
        }
        if (options.contains("locks")) {
            return locks(explained, context);
        }
        if (options.contains("ddl")) {
            return definitions(explained, context);
        }
        if (isFormatted) {
            return formatted(explained, context);
        }
        String heading = options.contains("vectorization") ? VECTORIZED : "";
        return heading + plan(explained, context);
    }

    /** Returns the statements that make again what a query reads, and its plans. */
    private static String definitions(SyntaxNode explained, StatementContext context) {
        String algebra = algebra("CBO PLAN:\n", explained, context);
        String plan = plan(explained, context);
        String query = explained.source();
        return ExplainDefinitions.of(explained, queries(explained, context), context)
                + "\n\nEXPLAIN " + query + ";\nEXPLAIN CBO " + query + ";\nEXPLAIN VECTORIZATION " + query + ";\n"
                + algebra + "\n" + VECTORIZED + plan;
    }

    private static String formatted(SyntaxNode explained, StatementContext context) {
        ObjectNode json = explained.is(HiveParser.TOK_QUERY)
                ? json(queries(explained, context))
                : JsonNodeFactory.instance.objectNode();
        json.set("STAGE PLANS", PlanJson.of(plan(explained, context)));
        return json.toString();
    }

    /** Returns the algebra as Calcite writes it; that of a multi-insert one after the other. */
    private static ObjectNode json(List<QueryCompiler.Compiled> queries) {
        String algebra = queries.stream()
                .map(query -> RelOptUtil.dumpPlan(
                        "", query.algebra(), SqlExplainFormat.JSON, SqlExplainLevel.EXPPLAN_ATTRIBUTES))
                .collect(Collectors.joining("\n"));
        return JsonNodeFactory.instance.objectNode().put("CBOPlan", algebra);
    }

    private static String plan(SyntaxNode explained, StatementContext context) {
        try (SqlStatement compiled = StatementKinds.compile(explained, context)) {
            return compiled instanceof QueryStatement query
                    ? query.explain()
                    : compiled.plan().map(Supplier::get).orElse(compiled.operationName());
        }
    }

    /** Returns the locks in Hive's form. Only transactional tables have some. */
    private static String locks(SyntaxNode explained, StatementContext context) {
        try (SqlStatement compiled = StatementKinds.compile(explained, context)) {
            if (!(compiled instanceof ScopedStatement scoped)) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "EXPLAIN LOCKS is for statements that read or write rows")
                        .at(explained.position());
            }
            return "LOCK INFORMATION:\n"
                    + scoped.scope().locks(TransactionSettings.of(context.settings())).stream()
                            .map(ExplainHandler::lock)
                            .distinct()
                            .collect(Collectors.joining("\n"));
        }
    }

    private static String lock(LockComponent lock) {
        return lock.database()
                + lock.table().map(name -> "." + name).orElse("")
                + lock.partition().map(name -> "." + name).orElse("")
                + " -> "
                + lock.kind();
    }

    private static void appendTree(SyntaxNode node, int depth, StringBuilder tree) {
        tree.append("   ".repeat(depth)).append(node.text()).append('\n');
        node.children().forEach(child -> appendTree(child, depth + 1, tree));
    }

    static List<QueryCompiler.Compiled> queries(SyntaxNode explained, StatementContext context) {
        if (!explained.is(HiveParser.TOK_QUERY)) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "this form of EXPLAIN is for queries and INSERT")
                    .at(explained.position());
        }
        List<QueryCompiler.Compiled> compiled = new ArrayList<>();
        List<AnalyzedInsert> parts = new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory())
                .analyzeInserts(DefaultValues.inValues(explained, context));
        context.access().check();
        for (AnalyzedInsert part : parts) {
            QueryCompiler compiler = QueryCompiler.forReading(context);
            compiled.add(
                    QueryHandler.isClient(part.destination())
                            ? QueryStatement.explained(part.query(), compiler, context)
                            : compiler.query(part.query().rel(), part.query().names()));
        }
        return compiled;
    }

    private static String algebra(String heading, SyntaxNode explained, StatementContext context) {
        return queries(explained, context).stream()
                .map(query -> heading + RelOptUtil.toString(query.algebra()))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the base tables and their partitions after pruning, in Hive's JSON form. */
    private static String dependency(SyntaxNode explained, StatementContext context) {
        Map<String, String> kinds = new TreeMap<>();
        List<QueryCompiler.Compiled> queries = queries(explained, context);
        for (QueryCompiler.Compiled query : queries) {
            for (ScanAssignment scan : query.plan().scans()) {
                kinds.put(name(scan.table()), scan.table().kind().name());
            }
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode tables = json.putArray("input_tables");
        kinds.forEach((name, kind) -> tables.addObject().put("tablename", name).put("tabletype", kind));
        ArrayNode pruned = json.putArray("input_partitions");
        partitions(queries, context).forEach(name -> pruned.addObject().put("partitionName", name));
        return json.toString();
    }

    /** Returns a table's name as EXPLAIN shows it. */
    static String name(Table table) {
        return table.database() + "@" + table.name();
    }

    /** Returns the partitions that queries read, after pruning. */
    static Set<String> partitions(List<QueryCompiler.Compiled> queries, StatementContext context) {
        Set<String> partitions = new TreeSet<>();
        for (QueryCompiler.Compiled query : queries) {
            for (ScanAssignment scan : query.plan().scans()) {
                Table table = scan.table();
                if (!table.partitionKeys().isEmpty()) {
                    for (Partition partition : context.pruner(table).partitions(scan, context.catalog())) {
                        partitions.add(name(table) + "@" + PartitionName.of(table, partition.values()));
                    }
                }
            }
        }
        return partitions;
    }
}
