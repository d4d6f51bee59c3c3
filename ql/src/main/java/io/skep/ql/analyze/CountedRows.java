package io.skep.ql.analyze;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TableFunctionApply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Implements INTERSECT ALL and EXCEPT ALL. It counts each distinct row on both sides. INTERSECT ALL returns the row as
 * often as the smaller count. EXCEPT ALL returns it as often as the left count exceeds the right one.
 */
final class CountedRows {
    private static final String REPEAT = "replicate_rows";

    private final RelFactory factory;
    private final HiveRexBuilder rex;
    private final int columns;

    /** @param columns the number of columns of each side */
    CountedRows(RelFactory factory, int columns) {
        this.factory = factory;
        this.rex = factory.rex();
        this.columns = columns;
    }

    RelNode intersect(RelNode left, RelNode right) {
        RelNode counted = counted(left, right);
        RexNode lefts = factory.column(counted, columns);
        RexNode rights = factory.column(counted, columns + 1);
        RexNode less = rex.makeCall(SqlStdOperatorTable.LESS_THAN, lefts, rights);
        return repeated(counted, rex.makeCall(SqlStdOperatorTable.CASE, less, lefts, rights));
    }

    RelNode except(RelNode left, RelNode right) {
        RelNode counted = counted(left, right);
        RexNode lefts = factory.column(counted, columns);
        RexNode rights = factory.column(counted, columns + 1);
        return repeated(counted, rex.call("-", PrimitiveType.BIGINT, true, List.of(lefts, rights)));
    }

    /** Returns the shared columns, then the number of times each row occurs on the left, then on the right. */
    private RelNode counted(RelNode left, RelNode right) {
        RelNode both = LogicalUnion.create(List.of(marked(left, true), marked(right, false)), true);
        return LogicalAggregate.create(
                both, List.of(), ImmutableBitSet.range(columns), null, List.of(count(columns), count(columns + 1)));
    }

    /** Adds two marker columns, one for each side. Only the marker of this side is not null. */
    private RelNode marked(RelNode side, boolean left) {
        List<RexNode> values = new ArrayList<>(factory.columns(side));
        List<String> names = new ArrayList<>(side.getRowType().getFieldNames());
        for (boolean own : List.of(left, !left)) {
            values.add(rex.constant(own ? new Datum.OfLong(1) : Datum.NULL, PrimitiveType.INT));
            names.add("_side" + names.size());
        }
        return LogicalProject.create(side, List.of(), values, names, Set.of());
    }

    private AggregateCall count(int column) {
        return AggregateCall.create(
                SqlStdOperatorTable.COUNT,
                false,
                false,
                false,
                List.of(),
                List.of(column),
                -1,
                null,
                RelCollations.EMPTY,
                factory.types().notNull(PrimitiveType.BIGINT),
                null);
    }

    private RelNode repeated(RelNode counted, RexNode times) {
        RexNode none = rex.constant(new Datum.OfLong(0), PrimitiveType.BIGINT);
        RelNode there = LogicalFilter.create(counted, rex.makeCall(SqlStdOperatorTable.GREATER_THAN, times, none));
        List<SqlType> repeatedTypes = List.of(PrimitiveType.BIGINT, PrimitiveType.BIGINT);
        RelNode rows = new TableFunctionApply(
                factory.cluster(),
                factory.cluster().traitSetOf(Convention.NONE),
                there,
                REPEAT,
                List.of(times, times),
                false,
                factory.types()
                        .rowType(List.of("_times", "_value"), repeatedTypes)
                        .getFieldList());
        List<RexNode> kept = factory.columns(rows).subList(0, columns);
        List<String> names = counted.getRowType().getFieldNames().subList(0, columns);
        return LogicalProject.create(rows, List.of(), kept, names, Set.of());
    }
}
