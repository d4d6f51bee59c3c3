package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RowChange;
import io.skep.engine.plan.SortKey;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.physical.TableLayouts;
import io.skep.ql.physical.WriteTarget;
import io.skep.ql.query.QueryCompiler;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.BucketProperty;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Plans changes of a transactional table's rows. The query returns, for each changed row: the code of the
 * {@link RowChange}, the row's identifier, its data columns and its partition columns. Rows of one partition and bucket
 * are written by one driver, sorted by their identifiers.
 */
final class ChangePlanning {
    /** No column of a Hive table has these names, since they are not legal there. */
    private static final String CHANGE = "$change";

    private static final String BUCKET = "$bucket";

    /** The number of buckets over which new rows of a table without buckets are spread. */
    private static final int NEW_ROWS_BUCKETS = 16;

    private final ChangedTable changed;
    private final Table table;
    private final List<TableAccess> accesses;
    private final StatementContext context;

    ChangePlanning(ChangedTable changed, List<TableAccess> accesses, StatementContext context) {
        this.changed = changed;
        this.table = changed.table();
        this.accesses = List.copyOf(accesses);
        this.context = context;
    }

    /** Returns the code of a change as a literal. */
    static SyntaxNode code(RowChange change) {
        return ChangeSyntax.expression(change.code() + "Y");
    }

    SqlStatement compile(SyntaxNode syntax) {
        AnalyzedQuery query = new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory()).analyze(syntax);
        context.access().check();
        HiddenRows.refuseChange(query.rel(), table, changed.name());
        List<String> keys =
                table.partitionKeys().stream().map(FieldSchema::name).toList();
        Destination destination = new Destination(table, false, Map.of(), keys, List.of(), changed.name());
        ConstraintEnforcement constraints = new ConstraintEnforcement(destination, context);
        RelNode rows = bucketed(enforced(constraints, converted(query.rel())));
        String staging = InsertPlanning.staging(table, context);
        int columns = PlanNode.TableWrite.CHANGE_COLUMNS + changed.columns().size();
        WriteTarget target = new WriteTarget(
                TableLayouts.of(table),
                staging,
                "",
                keys,
                columns,
                Optional.of(new WriteTarget.Buckets(List.of(new SortKey(1, true, true)))),
                false,
                true,
                List.of());
        QueryCompiler.Compiled compiled = QueryCompiler.forReading(context).write(rows, target);
        TransactionScope scope = context.newTransactionScope();
        TransactionalWrite write = TransactionalWrite.ofChanges(destination, accesses, scope, context);
        TableWriter writer = new TableWriter(
                destination,
                staging,
                WritePlan.of(compiled.plan(), scope, context),
                constraints,
                scope,
                Optional.of(write),
                context);
        return WriteStatement.insert(List.of(writer), query, context);
    }

    /** Returns the rows that change, in the types of the table. */
    private RelNode converted(RelNode query) {
        HiveRexBuilder rex = (HiveRexBuilder) query.getCluster().getRexBuilder();
        List<RexNode> columns = new ArrayList<>();
        List<String> names =
                new ArrayList<>(List.of(CHANGE, VirtualColumn.ROW_ID.column().name()));
        columns.add(rex.cast(rex.makeInputRef(query, 0), PrimitiveType.TINYINT));
        columns.add(rex.cast(
                rex.makeInputRef(query, 1), VirtualColumn.ROW_ID.column().type()));
        for (FieldSchema column : changed.columns()) {
            int index = columns.size();
            columns.add(ColumnConversion.of(rex.makeInputRef(query, index), column, index, changed.name(), rex));
            names.add(column.name());
        }
        refuseRandomChoice(query);
        RelNode all = LogicalProject.create(query, List.of(), columns, names, Set.of());
        RexNode isChanged = rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, rex.makeInputRef(all, 0));
        return LogicalFilter.create(all, isChanged);
    }

    /** Rows that are deleted need to meet no constraint. */
    private RelNode enforced(ConstraintEnforcement constraints, RelNode rows) {
        return constraints.enforced(rows, is(RowChange.DELETE, rows));
    }

    private static RexNode is(RowChange change, RelNode rows) {
        HiveRexBuilder rex = (HiveRexBuilder) rows.getCluster().getRexBuilder();
        return rex.makeCall(
                SqlStdOperatorTable.EQUALS,
                rex.makeInputRef(rows, 0),
                rex.constant(new Datum.OfLong(change.code()), PrimitiveType.TINYINT));
    }

    /** The change and the new values of a row are chosen by the same conditions, each time. */
    private void refuseRandomChoice(RelNode query) {
        if (query instanceof Project project
                && !RexUtil.isDeterministic(project.getProjects().getFirst())) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, "conditions of MERGE with functions such as rand()")
                    .withHint("compute the value in the source of the MERGE")
                    .at(changed.name().position());
        }
    }

    /** Adds the number of each row's bucket: of a changed row, that of its file. */
    private RelNode bucketed(RelNode rows) {
        HiveRexBuilder rex = (HiveRexBuilder) rows.getCluster().getRexBuilder();
        RexNode known = cast(expression(bucketOfId(), rows), rex);
        RexNode fresh = cast(
                table.storage().buckets() > 0 ? analyzer().analyzeBucket(changed.name(), table, rows) : spread(rows),
                rex);
        RexNode isNew = is(RowChange.INSERT, rows);
        List<RexNode> columns = new ArrayList<>(rex.identityProjects(rows.getRowType()));
        columns.add(rex.makeCall(SqlStdOperatorTable.CASE, List.of(isNew, fresh, known)));
        List<String> names = new ArrayList<>(rows.getRowType().getFieldNames());
        names.add(BUCKET);
        return LogicalProject.create(rows, List.of(), columns, names, Set.of());
    }

    /** Returns {@link BucketProperty#bucket} as an expression over the row's identifier. */
    private static String bucketOfId() {
        String id = VirtualColumn.ROW_ID.column().name() + ".bucketid";
        return "if(" + id + " < " + BucketProperty.encode(0, 0) + ", " + id + ", shiftright(" + id + ", "
                + BucketProperty.BUCKET_SHIFT + ") & " + BucketProperty.MAX_BUCKET + ")";
    }

    private static RexNode cast(RexNode value, HiveRexBuilder rex) {
        return rex.cast(value, PrimitiveType.INT);
    }

    private RexNode spread(RelNode rows) {
        String columns = table.columns().stream()
                .map(column -> HiveSqlParser.quoted(column.name()))
                .collect(Collectors.joining(", "));
        return expression("pmod(hash(" + columns + "), " + NEW_ROWS_BUCKETS + ")", rows);
    }

    private RexNode expression(String text, RelNode rows) {
        return analyzer().analyzeExpression(ChangeSyntax.expression(text), rows);
    }

    private QueryAnalyzer analyzer() {
        return new QueryAnalyzer(SessionAnalysisContext.ofServer(context), new RelFactory());
    }
}
