package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.physical.WriteTarget;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.statement.StatementContext;
import io.skep.storage.statistics.ColumnSummarizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;

/** Plans the writing of a query's rows into a table: arranges the columns and converts them to the table's types. */
public final class InsertPlanning {
    private InsertPlanning() {}

    public static TableWriter plan(Destination destination, AnalyzedQuery query, StatementContext context) {
        ConstraintEnforcement constraints = new ConstraintEnforcement(destination, context);
        RelNode converted = constraints.enforced(converted(destination, query, context));
        RelNode rows = BucketedRows.numbered(converted, destination, context);
        String staging = staging(destination.table(), context);
        WriteTarget target = new WriteTarget(
                TableLayouts.of(destination.table()),
                staging,
                destination.staticPath(),
                destination.dynamicColumns(),
                destination.wanted().size(),
                BucketedRows.of(destination),
                gathersStatistics(destination, context));
        QueryCompiler.Compiled compiled = QueryCompiler.forClients(context).write(rows, target);
        return new TableWriter(destination, staging, compiled.plan(), constraints, context);
    }

    /**
     * Whether a write gathers statistics: of all columns, or of none where one of them has a type without statistics.
     */
    static boolean gathersStatistics(Destination destination, StatementContext context) {
        return !destination.isDirectory()
                && context.settings().getBoolean("hive.stats.autogather")
                && context.settings().getBoolean("hive.stats.column.autogather")
                && destination.table().columns().stream().allMatch(column -> ColumnSummarizer.supports(column.type()));
    }

    /** Returns a hidden folder on the table's own file system, so that files can be moved by renaming. */
    private static String staging(Table table, StatementContext context) {
        return table.storage().location() + "/" + StagingFolders.PREFIX + context.nextName();
    }

    private static RelNode converted(Destination destination, AnalyzedQuery query, StatementContext context) {
        List<FieldSchema> wanted = destination.wanted();
        RelNode rel = query.rel();
        HiveRexBuilder rex = (HiveRexBuilder) rel.getCluster().getRexBuilder();
        int given = rel.getRowType().getFieldCount();
        List<String> listed = listed(destination, wanted, given);
        if (given != listed.size()) {
            throw new SkepException(
                            StandardErrorCode.SEMANTIC_ERROR,
                            "Cannot insert into target table because column number/types are different '"
                                    + destination.table().name() + "': Table insclause has " + listed.size()
                                    + " columns, but query has " + given + " columns.")
                    .at(destination.syntax().position());
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
                    source == null ? defaults.of(column, rex) : rex.cast(rex.makeInputRef(rel, source), column.type()));
        }
        return LogicalProject.create(
                rel, List.of(), columns, wanted.stream().map(FieldSchema::name).toList(), Set.of());
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
        for (String name : destination.columns()) {
            if (!all.contains(name)) {
                throw new SkepException(
                                StandardErrorCode.COLUMN_NOT_FOUND,
                                "'" + name + "' in insert schema specification is not found among regular columns of "
                                        + destination.table().qualifiedName()
                                        + " nor among dynamic partition columns.")
                        .withHint("columns are " + String.join(", ", all))
                        .at(destination.syntax().position());
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
