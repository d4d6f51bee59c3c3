package io.skep.ql.optimize;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Table;
import io.skep.ql.optimize.IncrementalRows.Scope;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TypeMapping;
import io.skep.ql.transaction.SourceChanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * An aggregation whose results are in a materialized view. The view's results are combined with those of the gained
 * rows, and with the negated ones of the removed rows. A group is gone when no row of it is left, for which the view
 * must count them. A sum is NULL when no value of it is left. Where the view does not count the values, a sum other
 * than 0 tells that there are some, and so do gained ones. A sum that becomes 0 otherwise is an error of the run
 * ({@link IncrementalRows#isUnknownSum}).
 */
final class IncrementalGroups {
    /** The most digits of a decimal whose sums cannot overflow in fewer than ten billion rows. */
    private static final int MAX_SUMMED_DIGITS = DecimalType.MAX_PRECISION - 10;

    private final Aggregate aggregate;
    private final int[] columns;

    /** @param columns the column of the aggregation for each column of the view */
    private IncrementalGroups(Aggregate aggregate, int[] columns) {
        this.aggregate = aggregate;
        this.columns = columns;
    }

    /** Empty if a query is no aggregation whose columns a view shows. */
    static Optional<IncrementalGroups> of(RelNode query) {
        int[] columns = IntStream.range(0, query.getRowType().getFieldCount()).toArray();
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
        return node instanceof Aggregate aggregate
                ? Optional.of(new IncrementalGroups(aggregate, columns))
                : Optional.empty();
    }

    Scope scope() {
        if (!isComplete() || !ChangedRows.isDerivable(aggregate.getInput())) {
            return Scope.NONE;
        }
        return isReversible() ? Scope.ALL : Scope.INSERTS;
    }

    /** Returns all rows of the view; empty if they cannot be computed in this way. */
    Optional<RelNode> combined(Table view, SourceChanges changes, RelFactory factory) {
        if (!isComplete()) {
            return Optional.empty();
        }
        return ChangedRows.of(aggregate.getInput(), changes)
                .filter(changed -> changed.removed().isEmpty() || isReversible())
                .map(changed -> {
                    RelNode before = before(view, factory);
                    RelNode rows = changed.removed().isEmpty()
                            ? grouped(List.of(before, ofRows(changed.gained(), List.of())), 0)
                            : reversed(
                                    before, changed.gained(), changed.removed().get(), factory);
                    return shown(rows, factory);
                });
    }

    /** Whether the view has all keys, and all results, each of which those of larger groups follow from. */
    private boolean isComplete() {
        return aggregate.getGroupType() == Aggregate.Group.SIMPLE
                && IntStream.range(0, aggregate.getRowType().getFieldCount()).allMatch(column -> shownAt(column) >= 0)
                && aggregate.getAggCallList().stream().allMatch(this::isCombinable);
    }

    private boolean isCombinable(AggregateCall call) {
        boolean plain = !call.hasFilter() && !call.ignoreNulls() && !call.isApproximate() && call.distinctKeys == null;
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
        return TypeMapping.toSql(argument(call)) instanceof DecimalType decimal
                && decimal.precision() > MAX_SUMMED_DIGITS;
    }

    private RelDataType argument(AggregateCall call) {
        return aggregate
                .getInput()
                .getRowType()
                .getFieldList()
                .get(call.getArgList().getFirst())
                .getType();
    }

    /** Whether the results without some rows follow from those with them. Sums of floating-point numbers do not. */
    private boolean isReversible() {
        boolean counted = aggregate.getGroupCount() == 0 || counter(List.of()).isPresent();
        return counted
                && aggregate.getAggCallList().stream()
                        .allMatch(call -> switch (call.getAggregation().getKind()) {
                            case COUNT -> true;
                            case SUM -> isExact(TypeMapping.toSql(call.getType()));
                            default -> false;
                        });
    }

    private static boolean isExact(SqlType type) {
        return type == PrimitiveType.BIGINT || type instanceof DecimalType;
    }

    /** Returns the column that counts the rows with values of some arguments; of none, all rows. */
    private OptionalInt counter(List<Integer> arguments) {
        List<Integer> nullable = nullable(arguments);
        return IntStream.range(0, aggregate.getAggCallList().size())
                .filter(i -> aggregate.getAggCallList().get(i).getAggregation().getKind() == SqlKind.COUNT
                        && nullable(aggregate.getAggCallList().get(i).getArgList())
                                .equals(nullable))
                .map(i -> aggregate.getGroupCount() + i)
                .findFirst();
    }

    private List<Integer> nullable(List<Integer> arguments) {
        RelDataType input = aggregate.getInput().getRowType();
        return arguments.stream()
                .filter(column -> input.getFieldList().get(column).getType().isNullable())
                .toList();
    }

    /** Returns the sums for which the view does not count the values. */
    private List<AggregateCall> uncounted() {
        return aggregate.getAggCallList().stream()
                .filter(call -> call.getAggregation().getKind() == SqlKind.SUM
                        && counter(call.getArgList()).isEmpty())
                .toList();
    }

    /** Returns the first column of the view that shows a column of the aggregation, or -1. */
    private int shownAt(int column) {
        return IntStream.range(0, columns.length)
                .filter(shown -> columns[shown] == column)
                .findFirst()
                .orElse(-1);
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

    /** Returns the results over some rows, followed by further counts. */
    private RelNode ofRows(RelNode rows, List<AggregateCall> counts) {
        List<AggregateCall> calls = new ArrayList<>(aggregate.getAggCallList());
        calls.addAll(counts);
        return LogicalAggregate.create(rows, List.of(), aggregate.getGroupSet(), null, calls);
    }

    /** @param counts the number of counts after the aggregation's results */
    private RelNode grouped(List<RelNode> parts, int counts) {
        RelNode all = LogicalUnion.create(parts, true);
        int keys = aggregate.getGroupCount();
        List<AggregateCall> calls = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            SqlAggFunction rollup = call.getAggregation().getRollup();
            if (rollup == null) {
                throw new IllegalStateException(call + " cannot be combined");
            }
            calls.add(call(rollup, List.of(keys + calls.size()), call.getType()));
        }
        for (int i = 0; i < counts; i++) {
            int column = keys + calls.size();
            RelDataType type = all.getRowType().getFieldList().get(column).getType();
            calls.add(call(SqlStdOperatorTable.SUM0, List.of(column), type));
        }
        return LogicalAggregate.create(all, List.of(), ImmutableBitSet.range(keys), null, calls);
    }

    private static AggregateCall call(SqlAggFunction function, List<Integer> arguments, RelDataType type) {
        return AggregateCall.create(
                function, false, false, false, List.of(), arguments, -1, null, RelCollations.EMPTY, type, null);
    }

    /**
     * Returns the results with the gained rows and without the removed ones. For each uncounted sum, the values in the
     * gained rows, and those in the removed ones, are counted.
     */
    private RelNode reversed(RelNode before, RelNode gained, RelNode removed, RelFactory factory) {
        List<AggregateCall> uncounted = uncounted();
        RelDataType count = factory.cluster().getTypeFactory().createSqlType(SqlTypeName.BIGINT);
        List<AggregateCall> counts = uncounted.stream()
                .map(call -> call(SqlStdOperatorTable.COUNT, call.getArgList(), count))
                .toList();
        RelNode ofGained = ofRows(gained, counts);
        RelNode ofRemoved = ofRows(removed, counts);
        RexNode zero = zero(PrimitiveType.BIGINT, factory);
        List<RexNode> none = Collections.nCopies(counts.size(), zero);
        int results = aggregate.getRowType().getFieldCount();
        List<RelNode> parts = List.of(
                project(before, Stream.of(factory.columns(before), none, none).flatMap(List::stream)),
                project(ofGained, Stream.of(factory.columns(ofGained), none).flatMap(List::stream)),
                project(
                        ofRemoved,
                        Stream.of(
                                        negated(ofRemoved, factory),
                                        none,
                                        factory.columns(ofRemoved).subList(results, results + counts.size()))
                                .flatMap(List::stream)));
        RelNode grouped = grouped(parts, 2 * counts.size());
        return sums(aggregate.getGroupCount() == 0 ? grouped : left(grouped, factory), uncounted, factory);
    }

    private static RelNode project(RelNode input, Stream<RexNode> columns) {
        List<RexNode> values = columns.toList();
        return LogicalProject.create(input, List.of(), values, names(values.size()), Set.of());
    }

    private static List<String> names(int columns) {
        return IntStream.range(0, columns).mapToObj(i -> "c" + i).toList();
    }

    /** Returns the keys, and the results with the other sign. */
    private List<RexNode> negated(RelNode rows, RelFactory factory) {
        int keys = aggregate.getGroupCount();
        return IntStream.range(0, aggregate.getRowType().getFieldCount())
                .mapToObj(column -> {
                    RexNode value = factory.column(rows, column);
                    return column < keys
                            ? value
                            : factory.rex().call("negative", TypeMapping.toSql(value.getType()), true, List.of(value));
                })
                .toList();
    }

    /** Returns the groups of which rows are left. */
    private RelNode left(RelNode grouped, RelFactory factory) {
        RexNode count = factory.column(grouped, counter(List.of()).orElseThrow());
        return LogicalFilter.create(grouped, isPositive(count, factory));
    }

    private RelNode sums(RelNode grouped, List<AggregateCall> uncounted, RelFactory factory) {
        int keys = aggregate.getGroupCount();
        int results = aggregate.getRowType().getFieldCount();
        List<RexNode> values = new ArrayList<>(factory.columns(grouped).subList(0, results));
        for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
            AggregateCall call = aggregate.getAggCallList().get(i);
            if (call.getAggregation().getKind() != SqlKind.SUM) {
                continue;
            }
            RexNode sum = values.get(keys + i);
            OptionalInt counter = counter(call.getArgList());
            if (counter.isPresent()) {
                RexNode present = isPositive(values.get(counter.getAsInt()), factory);
                RexNode none = factory.rex().makeNullLiteral(sum.getType());
                values.set(keys + i, factory.rex().makeCall(SqlStdOperatorTable.CASE, List.of(present, sum, none)));
            } else {
                int gained = results + uncounted.indexOf(call);
                values.set(
                        keys + i,
                        known(
                                sum,
                                factory.column(grouped, gained),
                                factory.column(grouped, gained + uncounted.size()),
                                factory));
            }
        }
        return project(grouped, values.stream());
    }

    /**
     * Returns a sum, or fails if it may be one of no values.
     *
     * @param gained the number of values that were added
     * @param removed the number of values that were taken away
     */
    private static RexNode known(RexNode sum, RexNode gained, RexNode removed, RelFactory factory) {
        HiveRexBuilder rex = factory.rex();
        SqlType type = TypeMapping.toSql(sum.getType());
        RexNode isKnown = rex.makeCall(
                SqlStdOperatorTable.OR,
                List.of(
                        rex.makeCall(SqlStdOperatorTable.NOT, isPositive(removed, factory)),
                        isPositive(gained, factory),
                        rex.makeCall(SqlStdOperatorTable.NOT_EQUALS, sum, zero(type, factory))));
        RexNode text = rex.constant(Datum.ofText("the values of a sum of 0 are not counted"), PrimitiveType.STRING);
        return rex.call("enforce_constraint", type, false, List.of(sum, isKnown, text));
    }

    private static RexNode isPositive(RexNode count, RelFactory factory) {
        return factory.rex().makeCall(SqlStdOperatorTable.GREATER_THAN, count, zero(PrimitiveType.BIGINT, factory));
    }

    private static RexNode zero(SqlType type, RelFactory factory) {
        return factory.rex().cast(factory.rex().constant(new Datum.OfLong(0), PrimitiveType.BIGINT), type);
    }

    private RelNode shown(RelNode grouped, RelFactory factory) {
        return project(grouped, Arrays.stream(columns).mapToObj(column -> factory.column(grouped, column)));
    }
}
