package io.skep.ql.compiler;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessNeed.Side;
import io.skep.ql.authorize.AccessedObject;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.insert.DefaultValues;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.show.DefinitionScript;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * EXPLAIN DDL: the statements that make again what a query reads, without its rows: databases, tables, the partitions
 * that it reads, statistics, constraints and views. Besides what the query needs, it needs for each of these tables and
 * views what SHOW CREATE TABLE needs.
 */
final class ExplainDefinitions {
    private ExplainDefinitions() {}

    static String of(SyntaxNode query, List<QueryCompiler.Compiled> compiled, StatementContext context) {
        List<Table> inputs = inputs(query, context);
        List<AccessNeed> needs = inputs.stream()
                .map(table -> new AccessNeed(
                        Side.INPUT, new AccessedObject.OfTable(table), Set.of(RequiredPrivilege.SELECT_WITH_GRANT)))
                .toList();
        context.access().declare(StatementNeeds.of("QUERY").and(needs));
        context.access().check();
        return DefinitionScript.of(inputs, partitions(compiled, context), context);
    }

    private static List<Table> inputs(SyntaxNode query, StatementContext context) {
        Set<String> names = new TreeSet<>();
        new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory())
                .analyzeInserts(DefaultValues.inValues(query, context))
                .forEach(part -> names.addAll(part.query().inputs()));
        List<Table> tables = new ArrayList<>();
        for (String name : names) {
            int dot = name.indexOf('.');
            context.session()
                    .table(name.substring(0, dot), name.substring(dot + 1))
                    .ifPresent(tables::add);
        }
        return tables;
    }

    /** Returns the partitions that are read, after pruning, by the name of the table. */
    private static Map<String, List<Partition>> partitions(
            List<QueryCompiler.Compiled> compiled, StatementContext context) {
        Map<String, List<Partition>> partitions = new TreeMap<>();
        for (QueryCompiler.Compiled query : compiled) {
            for (ScanAssignment scan : query.plan().scans()) {
                Table table = scan.table();
                if (!table.partitionKeys().isEmpty()) {
                    partitions
                            .computeIfAbsent(table.qualifiedName(), name -> new ArrayList<>())
                            .addAll(context.pruner(table).partitions(scan, context.catalog()));
                }
            }
        }
        return partitions;
    }
}
