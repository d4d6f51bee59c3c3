package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.common.type.PrimitiveType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.ListBuckets;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.physical.WriteTarget;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.query.ViewedPlan;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.parquet.ParquetFileFormat;
import io.skep.storage.statistics.ColumnSummarizer;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Plans the writing of a query's rows into a table: arranges the columns and converts them to the table's types. */
public final class InsertPlanning {
    private InsertPlanning() {}

    /** Plans the write of a statement's only destination. */
    public static TableWriter plan(Destination destination, AnalyzedQuery query, StatementContext context) {
        return plan(destination, 0, query, context.newTransactionScope(), context);
    }

    /**
     * @param number the destination's number in the statement
     * @param scope the statement's, for all its destinations
     */
    static TableWriter plan(
            Destination destination,
            int number,
            AnalyzedQuery query,
            TransactionScope scope,
            StatementContext context) {
        ConstraintEnforcement constraints = new ConstraintEnforcement(destination, context);
        RelNode converted = constraints.enforced(converted(destination, query, context));
        Optional<Skew> lists = ListBucketedRows.of(destination, context);
        RelNode listed = lists.map(skew -> ListBucketedRows.numbered(converted, skew, destination))
                .orElse(converted);
        RelNode rows = BucketedRows.numbered(listed, destination, context);
        String staging = staging(destination.table(), context);
        WriteTarget target = new WriteTarget(
                layout(destination.table(), context),
                staging,
                destination.staticPath(),
                destination.dynamicColumns(),
                destination.wanted().size(),
                BucketedRows.of(destination),
                gathersStatistics(destination, context),
                false,
                lists.map(ListBuckets::folders).orElse(List.of()));
        QueryCompiler compiler = QueryCompiler.forClients(context);
        // The rows of a materialized view come from its sources.
        Optional<ViewedPlan> viewed = destination.table().kind() == Table.TableKind.MATERIALIZED_VIEW
                ? Optional.empty()
                : ViewedPlan.ofWrite(query, rows, target, compiler, context);
        WritePlan plan = viewed.map(found -> WritePlan.of(found, scope, context))
                .orElseGet(() -> WritePlan.of(compiler.write(rows, target).plan(), scope, context));
        Optional<TransactionalWrite> transactional = TransactionalWrite.of(destination, number, scope, context);
        return new TableWriter(destination, staging, plan, constraints, scope, transactional, context);
    }

    /** Returns the table's layout, with the session's settings that change what files hold. */
    private static TableLayout layout(Table table, StatementContext context) {
        TableLayout layout = TableLayouts.of(table);
        Map<String, String> properties = new HashMap<>(layout.properties());
        if (context.settings().getBoolean(ParquetFileFormat.INT64_TIMESTAMPS)) {
            properties.put(ParquetFileFormat.INT64_TIMESTAMPS, "true");
            context.settings()
                    .get(ParquetFileFormat.TIMESTAMP_UNIT)
                    .ifPresent(unit -> properties.put(ParquetFileFormat.TIMESTAMP_UNIT, unit));
        }
        properties.putAll(CompressedOutput.properties(context.settings()));
        if (properties.equals(layout.properties())) {
            return layout;
        }
        return new TableLayout(
                layout.name(), layout.format(), layout.dataColumns(), layout.partitionColumns(), properties);
    }

    /**
     * Whether a write gathers statistics: of all columns, or of none where one of them has a type without statistics,
     * values that the files hold with fewer digits, or another type in queries.
     */
    static boolean gathersStatistics(Destination destination, StatementContext context) {
        return !destination.isDirectory()
                && context.settings().getBoolean("hive.stats.autogather")
                && context.settings().getBoolean("hive.stats.column.autogather")
                && destination.table().columns().stream().allMatch(column -> ColumnSummarizer.supports(column.type()))
                && TableLayouts.queried(destination.table()).equals(destination.table())
                && !(context.settings().getBoolean(ParquetFileFormat.INT64_TIMESTAMPS)
                        && destination.table().columns().stream()
                                .anyMatch(column -> column.type() == PrimitiveType.TIMESTAMP));
    }

    /** Returns a hidden folder on the table's own file system, so that files can be moved by renaming. */
    static String staging(Table table, StatementContext context) {
        return table.storage().location() + "/" + StagingFolders.PREFIX + context.nextName();
    }

    private static RelNode converted(Destination destination, AnalyzedQuery query, StatementContext context) {
        List<FieldSchema> wanted = destination.wanted();
        RelNode rel = query.rel();
        HiveRexBuilder rex = (HiveRexBuilder) rel.getCluster().getRexBuilder();
        int given = rel.getRowType().getFieldCount();
        List<String> listed = listed(destination, wanted, given);
        if (given != listed.size()) {
            throw CompileErrors.at(
                    target(destination.syntax()),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.TARGET_TABLE_COLUMN_MISMATCH,
                    "Table insclause-0 has " + listed.size() + " columns, but query has " + given + " columns.");
        }
        DefaultValues defaults = new DefaultValues(destination.table(), context);
        Map<String, Integer> sources = new HashMap<>();
        for (int i = 0; i < listed.size(); i++) {
            sources.putIfAbsent(listed.get(i), i);
        }
        List<RexNode> columns = new ArrayList<>();
        for (FieldSchema column : wanted) {
            Integer source = sources.get(column.name());
            columns.add(
                    source == null
                            ? defaults.of(column, rex)
                            : ColumnConversion.of(
                                    rex.makeInputRef(rel, source), column, source, target(destination.syntax()), rex));
        }
        return LogicalProject.create(
                rel, List.of(), columns, wanted.stream().map(FieldSchema::name).toList(), Set.of());
    }

    /** Returns the error of a name in the list of columns, at the list's first name as in Hive. */
    private static SkepException listed(Destination destination, String name, String words) {
        TextPosition where = destination
                .syntax()
                .first(HiveParser.TOK_TABCOLNAME)
                .map(list -> list.child(0).position())
                .orElse(destination.syntax().position());
        return CompileErrors.plain(
                where,
                StandardErrorCode.COLUMN_NOT_FOUND,
                ErrorMsg.GENERIC_ERROR,
                where + " " + words + ". Error encountered near token '" + name + "'");
    }

    /** Returns the table that a destination names, with its PARTITION clause if there is one. */
    private static SyntaxNode target(SyntaxNode destination) {
        return destination.first(HiveParser.TOK_TAB).orElse(destination);
    }

    /**
     * Returns the target columns in the order in which the query provides them. Dynamic partition columns that are not
     * listed come last. When the query provides only the listed columns, the others are null.
     */
    static List<String> listed(Destination destination, List<FieldSchema> wanted, int given) {
        List<String> all = wanted.stream().map(FieldSchema::name).toList();
        if (destination.columns().isEmpty()) {
            return all;
        }
        Set<String> seen = new HashSet<>();
        for (String name : destination.columns()) {
            if (!seen.add(name)) {
                throw listed(
                        destination,
                        name,
                        "Duplicate column name detected in "
                                + destination.table().qualifiedName() + " table schema specification");
            }
            if (!all.contains(name)) {
                throw listed(
                                destination,
                                name,
                                "'" + name + "' in insert schema specification is not found among regular columns of "
                                        + destination.table().qualifiedName() + " nor dynamic partition columns.")
                        .withHint("columns are " + String.join(", ", all));
            }
        }
        List<String> listed = new ArrayList<>(destination.columns());
        if (given == listed.size()) {
            return listed;
        }
        destination.dynamicColumns().stream()
                .filter(name -> !listed.contains(name))
                .forEach(listed::add);
        return listed;
    }
}
