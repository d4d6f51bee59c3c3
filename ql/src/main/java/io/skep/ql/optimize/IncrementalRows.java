package io.skep.ql.optimize;

import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.metastore.Table;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TypeMapping;
import io.skep.ql.transaction.SeenWriteIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The rows with which a materialized view becomes that of its tables' present rows, computed from the view's own rows
 * and from the rows that the tables have gained.
 *
 * @param rows rows of the view
 * @param replaces whether these are all rows of the view; otherwise they are added to those that it has
 */
public record IncrementalRows(RelNode rows, boolean replaces) {
    /** The most digits of a decimal whose sums cannot overflow in fewer than ten billion rows. */
    private static final int MAX_SUMMED_DIGITS = DecimalType.MAX_PRECISION - 10;

    /**
     * Returns the rows of a view; empty if they cannot be computed in this way.
     *
     * @param query the view's query, with the columns of the view in their order and types
     * @param grown the tables that have got further rows, by name with the database
     */
    public static Optional<IncrementalRows> of(
            Table view, RelNode query, Map<String, SeenWriteIds> grown, RelFactory factory) {
        Optional<Groups> groups = Groups.of(query);
        if (groups.isPresent()) {
            return groups.get().combined(view, grown, factory).map(rows -> new IncrementalRows(rows, true));
        }
        return GainedRows.of(query, grown).map(rows -> new IncrementalRows(rows, false));
    }

    /** Whether a view can be rebuilt from the rows that its tables have gained. */
    public static boolean isDerivable(RelNode query) {
        return Groups.of(query)
                .map(groups -> groups.isComplete() && GainedRows.isDerivable(groups.aggregate.getInput()))
                .orElseGet(() -> GainedRows.isDerivable(query));
    }

    /**
     * An aggregation, and what the view shows of it.
     *
     * @param columns the column of the aggregation for each column of the view
     */
    private record Groups(Aggregate aggregate, int[] columns) {
        static Optional<Groups> of(RelNode query) {
            int[] columns =
                    IntStream.range(0, query.getRowType().getFieldCount()).toArray();
            RelNode node = query;
            while (node instanceof Project project) {
                for (int i = 0; i < columns.length; i++) {
                    if (!(project.getProjects().get(columns[i]) instanceof RexInputRef column)) {
                        return Optional.empty();
                    }
                    columns[i] = column.getIndex();
                }
                node = project.getInput();
            }
            return node instanceof Aggregate aggregate ? Optional.of(new Groups(aggregate, columns)) : Optional.empty();
        }

        /** Whether the view has all keys, and all results, each of which those of larger groups follow from. */
        boolean isComplete() {
            return aggregate.getGroupType() == Aggregate.Group.SIMPLE
                    && IntStream.range(0, aggregate.getRowType().getFieldCount())
                            .allMatch(column -> shownAt(column) >= 0)
                    && aggregate.getAggCallList().stream().allMatch(this::isCombinable);
        }

        private boolean isCombinable(AggregateCall call) {
            boolean plain =
                    !call.hasFilter() && !call.ignoreNulls() && !call.isApproximate() && call.distinctKeys == null;
            return plain
                    && switch (call.getAggregation().getKind()) {
                        case MIN, MAX -> true;
                        case COUNT -> !call.isDistinct();
                        case SUM -> !call.isDistinct() && !mayOverflow(call);
                        default -> false;
                    };
        }

        /** A sum that has overflowed is NULL, and looks like a sum of no values. */
        private boolean mayOverflow(AggregateCall call) {
            SqlType summed = TypeMapping.toSql(aggregate
                    .getInput()
                    .getRowType()
                    .getFieldList()
                    .get(call.getArgList().getFirst())
                    .getType());
            return summed instanceof DecimalType decimal && decimal.precision() > MAX_SUMMED_DIGITS;
        }

        /** Returns the first column of the view that shows a column of the aggregation, or -1. */
        private int shownAt(int column) {
            return IntStream.range(0, columns.length)
                    .filter(shown -> columns[shown] == column)
                    .findFirst()
                    .orElse(-1);
        }

        Optional<RelNode> combined(Table view, Map<String, SeenWriteIds> grown, RelFactory factory) {
            if (!isComplete()) {
                return Optional.empty();
            }
            return GainedRows.of(aggregate.getInput(), grown).map(gained -> {
                RelNode ofGained = aggregate.copy(aggregate.getTraitSet(), List.of(gained));
                RelNode all = LogicalUnion.create(List.of(before(view, factory), ofGained), true);
                return shown(grouped(all), factory);
            });
        }

        /** Returns the present rows of the view in the columns of the aggregation. */
        private RelNode before(Table view, RelFactory factory) {
            RelNode scan = SkepTable.of(view, factory.types()).scan(factory.cluster());
            List<RexNode> values = IntStream.range(0, aggregate.getRowType().getFieldCount())
                    .mapToObj(column -> factory.column(scan, shownAt(column)))
                    .toList();
            return LogicalProject.create(
                    scan, List.of(), values, aggregate.getRowType().getFieldNames(), Set.of());
        }

        private RelNode grouped(RelNode all) {
            int keys = aggregate.getGroupCount();
            List<AggregateCall> calls = new ArrayList<>();
            for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
                calls.add(combining(aggregate.getAggCallList().get(i), keys + i));
            }
            return LogicalAggregate.create(all, List.of(), ImmutableBitSet.range(keys), null, calls);
        }

        private static AggregateCall combining(AggregateCall call, int column) {
            var rollup = call.getAggregation().getRollup();
            if (rollup == null) {
                throw new IllegalStateException(call + " cannot be combined");
            }
            return AggregateCall.create(
                    rollup,
                    false,
                    false,
                    false,
                    List.of(),
                    List.of(column),
                    -1,
                    null,
                    RelCollations.EMPTY,
                    call.getType(),
                    call.getName());
        }

        private RelNode shown(RelNode grouped, RelFactory factory) {
            List<RexNode> values = Arrays.stream(columns)
                    .mapToObj(column -> factory.column(grouped, column))
                    .toList();
            List<String> names =
                    IntStream.range(0, columns.length).mapToObj(i -> "c" + i).toList();
            return LogicalProject.create(grouped, List.of(), values, names, Set.of());
        }
    }
}
