package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Constraint;
import io.skep.metastore.Table;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TypeMapping;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Enforces the table's enabled NOT NULL and CHECK constraints on the rows that an INSERT writes. The test wraps a
 * written column, so that it sees exactly the rows that are written.
 */
final class ConstraintEnforcement {
    private static final String FUNCTION = "enforce_constraint";
    private static final String SETTING = "hive.constraint.notnull.enforce";

    private final Destination destination;
    private final StatementContext context;
    private final List<Constraint> enforced;

    ConstraintEnforcement(Destination destination, StatementContext context) {
        this.destination = destination;
        this.context = context;
        this.enforced = enforcedNow();
    }

    private List<Constraint> enforcedNow() {
        Table table = destination.table();
        // A table that is created together with its rows is not in the catalog yet.
        if (destination.isDirectory()
                || !context.settings().getBoolean(SETTING)
                || context.session().table(table.database(), table.name()).isEmpty()) {
            return List.of();
        }
        return TableStore.constraints(table, context).stream()
                .filter(one -> one.state().enabled())
                .filter(one -> one instanceof Constraint.NotNull || one instanceof Constraint.Check)
                .toList();
    }

    /**
     * Called while no other statement changes the table.
     *
     * @throws SkepException TABLE_CHANGED when the table has constraints that were not enforced on the rows
     */
    void requireUnchanged() {
        if (!enforced.containsAll(enforcedNow())) {
            throw new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "table " + destination.table().qualifiedName()
                                    + " was given a constraint by another statement meanwhile")
                    .withHint("run the statement again");
        }
    }

    /** @param rows the columns that the destination expects, converted to its types */
    RelNode enforced(RelNode rows) {
        return enforced(rows, Optional.empty());
    }

    /** @param exempt says which rows need not meet the constraints */
    RelNode enforced(RelNode rows, RexNode exempt) {
        return enforced(rows, Optional.of(exempt));
    }

    private RelNode enforced(RelNode rows, Optional<RexNode> exempt) {
        if (enforced.isEmpty()) {
            return rows;
        }
        HiveRexBuilder rex = (HiveRexBuilder) rows.getCluster().getRexBuilder();
        List<String> names = rows.getRowType().getFieldNames();
        List<RexNode> columns = new ArrayList<>(rex.identityProjects(rows.getRowType()));
        for (Constraint one : enforced) {
            int at = one instanceof Constraint.NotNull notNull ? names.indexOf(notNull.column()) : 0;
            if (at >= 0) {
                RexNode condition = condition(one, rows, rex);
                RexNode whole = exempt.<RexNode>map(
                                other -> rex.makeCall(SqlStdOperatorTable.OR, List.of(other, condition)))
                        .orElse(condition);
                columns.set(at, checked(columns.get(at), whole, one, rex));
            }
        }
        return LogicalProject.create(rows, List.of(), columns, names, Set.of());
    }

    private RexNode condition(Constraint constraint, RelNode rows, HiveRexBuilder rex) {
        if (constraint instanceof Constraint.Check check) {
            SyntaxNode expression = new HiveSqlParser(Map.of()).parseExpression(check.expression());
            return new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory())
                    .analyzeCondition(expression, rows);
        }
        int column =
                rows.getRowType().getFieldNames().indexOf(constraint.columns().getFirst());
        return rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, rex.makeInputRef(rows, column));
    }

    /** The call is declared non-deterministic, so that the planner neither moves nor folds it. */
    private RexNode checked(RexNode column, RexNode condition, Constraint constraint, HiveRexBuilder rex) {
        RexNode text = rex.constant(Datum.ofText(described(constraint)), PrimitiveType.STRING);
        return rex.call(FUNCTION, TypeMapping.toSql(column.getType()), false, List.of(column, condition, text));
    }

    private String described(Constraint constraint) {
        String what = constraint instanceof Constraint.Check check
                ? "CHECK (" + check.expression() + ")"
                : "NOT NULL of column '" + constraint.columns().getFirst() + "'";
        return what + ", constraint '" + constraint.name() + "' of "
                + destination.table().qualifiedName();
    }
}
