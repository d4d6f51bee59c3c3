package io.skep.ql.physical;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.MappedColumns;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.StageGraph;
import io.skep.ql.rel.LiteralMapping;
import io.skep.ql.rel.MergeAggregate;
import io.skep.ql.rel.PartialAggregate;
import io.skep.ql.rel.PolicyBarrier;
import io.skep.ql.rel.Redistribute;
import io.skep.ql.rel.ScriptApply;
import io.skep.ql.rel.TableFunctionApply;
import io.skep.ql.rel.TypeMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Converts optimized algebra into a stage graph. Decides where exchanges go and which operators run on either side. One
 * instance plans one query.
 */
public final class PhysicalPlanner {
    private final PlanningContext context;
    private final EstimatedRows.Collector estimates = new EstimatedRows.Collector();
    private final Fragmenter fragmenter = new Fragmenter(estimates);
    private final ScanPlanning scans;
    private final JoinPlanning joins;
    private final AggregatePlanning aggregates;
    private final WindowPlanning windows;

    public PhysicalPlanner(PlanningContext context) {
        this.context = context;
        this.scans = new ScanPlanning(context, fragmenter, estimates);
        this.joins = new JoinPlanning(context, fragmenter, estimates, this::plan);
        this.aggregates = new AggregatePlanning(context, fragmenter, estimates, this::aggregated);
        this.windows = new WindowPlanning(context, fragmenter, this::plan);
    }

    /** Plans a query whose rows go to the client. */
    public PhysicalPlan planQuery(RelNode root, List<String> columnNames) {
        Planned planned = plan(root);
        List<SqlType> types = planned.types();
        return finish(planned, columnNames, types);
    }

    /** Plans a query whose rows are written. The result has one row per file (see {@link PlanNode.TableWrite}). */
    public PhysicalPlan planWrite(RelNode root, WriteTarget target) {
        Planned planned = plan(root);
        Planned placed = target.placement(planned, fragmenter);
        PlanNode write = new PlanNode.TableWrite(
                placed.node(),
                target.table(),
                target.stagingPath(),
                target.staticPartition(),
                target.dynamicColumns(),
                target.buckets().isPresent(),
                target.summarized(),
                Map.of(),
                target.changes(),
                Optional.empty(),
                target.listFolders());
        Planned files = fragmenter.gather(placed.with(write, placed.rows()), List.of());
        return finish(
                files,
                List.of("path", "partition", "rows", "bytes", "columns", "replaced"),
                PlanNode.TableWrite.OUTPUT_TYPES);
    }

    private PhysicalPlan finish(Planned root, List<String> names, List<SqlType> types) {
        List<Fragment> all = fragmenter.finish(root);
        SharedFragments.Shared shared = context.sharedWork()
                ? SharedFragments.of(all, scans.assignments())
                : SharedFragments.Shared.unchanged(all, scans.assignments());
        List<Fragment> fragments = shared.fragments();
        if (context.runtimeFilters() || context.partitionPruning()) {
            fragments = RuntimeFilterPlanning.assign(fragments, context.runtimeFilters(), context.partitionPruning());
        }
        if (context.partitionPruning() && context.repeatable()) {
            fragments = DynamicPartitionPruning.assign(fragments, shared.scans());
        }
        StageGraph graph = new StageGraph(fragments, names, types, context.resources(), scans.estimatedRows());
        EstimatedRows rows = estimates.of(all).arranged(shared.origins());
        return new PhysicalPlan(graph, shared.scans(), context.answers().tables(), rows, context.repeatable());
    }

    Planned plan(RelNode rel) {
        return estimates.add(operators(rel));
    }

    private Planned operators(RelNode rel) {
        return switch (rel) {
            case TableScan scan -> scans.scan(scan, null);
            case Filter filter -> filter(filter);
            case Project project -> project(project);
            case Join join -> joins.plan(join);
            case PartialAggregate aggregate -> aggregates.partial(aggregate);
            case MergeAggregate aggregate -> aggregates.merge(aggregate);
            case Aggregate aggregate -> answered(aggregate).orElseGet(() -> aggregates.plan(aggregate));
            case Window window -> windows.plan(window);
            case Sort sort -> sort(sort);
            case Union union -> union(union);
            case Values values -> values(values);
            case TableFunctionApply apply -> tableFunction(apply);
            case ScriptApply apply -> script(apply);
            case Redistribute redistribute -> redistribute(redistribute);
            // Operators run in the order of the plan, and none is merged with those below.
            case PolicyBarrier barrier -> plan(barrier.getInput());
            default ->
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "the planner has no operator for " + rel.getRelTypeName() + " yet");
        };
    }

    private Optional<Planned> answered(Aggregate aggregate) {
        return context.answers().of(aggregate).map(row -> {
            List<SqlType> types = TypeMapping.columnTypes(aggregate.getRowType());
            return new Planned(new PlanNode.Values(types, List.of(row)), new Layout.Single(), 1);
        });
    }

    /** Plans the input of an aggregation. A scan whose rows are only counted reads no column. */
    private Planned aggregated(Aggregate aggregate) {
        boolean counted = aggregate.getGroupSet().isEmpty()
                && aggregate.getAggCallList().stream()
                        .allMatch(call -> call.getArgList().isEmpty() && !call.hasFilter());
        return counted && aggregate.getInput() instanceof TableScan scan
                ? estimates.add(scans.scan(scan, null, List.of()))
                : plan(aggregate.getInput());
    }

    private Planned filter(Filter filter) {
        if (filter.getInput() instanceof TableScan scan) {
            return scans.scan(scan, filter);
        }
        Planned input = plan(filter.getInput());
        Expression predicate = context.rex().translate(filter.getCondition());
        return input.with(new PlanNode.Filter(input.node(), predicate), context.rows(filter));
    }

    private Planned project(Project project) {
        List<Expression> expressions = context.rex().translateAll(project.getProjects());
        RelNode below = project.getInput();
        Filter filter = below instanceof Filter condition ? condition : null;
        if ((filter == null ? below : filter.getInput()) instanceof TableScan scan) {
            return projectScan(expressions, scan, filter);
        }
        return projected(plan(below), expressions);
    }

    /** Plans a projection over a scan. The scan reads only the columns that the projection uses. */
    private Planned projectScan(List<Expression> expressions, TableScan scan, @Nullable Filter filter) {
        SortedSet<Integer> used = new TreeSet<>();
        expressions.forEach(expression -> used.addAll(Expressions.columns(expression)));
        List<Integer> ordinals = List.copyOf(used);
        List<Expression> narrowed = expressions.stream()
                .map(expression -> MappedColumns.in(
                        expression,
                        column -> new Expression.InputColumn(ordinals.indexOf(column.index()), column.type())))
                .toList();
        return projected(scans.scan(scan, filter, ordinals), narrowed);
    }

    private static Planned projected(Planned input, List<Expression> expressions) {
        if (expressions.equals(Expressions.identity(input.types()))) {
            return input;
        }
        PlanNode node = new PlanNode.Project(input.node(), expressions);
        return new Planned(node, projected(input.layout(), expressions), input.rows());
    }

    /**
     * Returns the layout in terms of the projected columns. If the projection drops one of its columns, the layout is
     * unknown.
     */
    private static Layout projected(Layout layout, List<Expression> expressions) {
        if (!(layout instanceof Layout.Hashed hashed)) {
            return layout;
        }
        List<Integer> columns = new ArrayList<>();
        for (int column : hashed.columns()) {
            int at = -1;
            for (int i = 0; i < expressions.size() && at < 0; i++) {
                at = expressions.get(i) instanceof Expression.InputColumn input && input.index() == column ? i : -1;
            }
            if (at < 0) {
                return new Layout.Hashed(List.of());
            }
            columns.add(at);
        }
        return new Layout.Hashed(columns);
    }

    private Planned sort(Sort sort) {
        Planned input = plan(sort.getInput());
        List<SortKey> keys = keys(sort.getCollation());
        long offset = sort.offset == null ? 0 : count(sort.offset);
        long count = sort.fetch == null ? Long.MAX_VALUE : count(sort.fetch);
        double rows = context.rows(sort);
        if (count == Long.MAX_VALUE) {
            Planned sorted = input.with(new PlanNode.Sort(input.node(), keys), rows);
            Planned all = fragmenter.gather(keys.isEmpty() ? input : sorted, keys);
            return offset == 0 ? all : all.with(new PlanNode.Limit(all.node(), offset, count), rows);
        }
        long needed = Long.MAX_VALUE - count < offset ? Long.MAX_VALUE : offset + count;
        PlanNode first = keys.isEmpty()
                ? new PlanNode.Limit(input.node(), 0, needed)
                : new PlanNode.TopN(input.node(), keys, needed);
        Planned all = fragmenter.gather(input.with(first, rows), keys);
        boolean done = input.isSingle() && offset == 0;
        return done ? all : all.with(new PlanNode.Limit(all.node(), offset, count), rows);
    }

    private static long count(RexNode node) {
        Long value = node instanceof RexLiteral literal ? literal.getValueAs(Long.class) : null;
        if (value != null) {
            return value;
        }
        throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "LIMIT and OFFSET take constant numbers");
    }

    static List<SortKey> keys(RelCollation collation) {
        List<SortKey> keys = new ArrayList<>();
        for (RelFieldCollation field : collation.getFieldCollations()) {
            boolean ascending = !field.direction.isDescending();
            boolean nullsFirst = switch (field.nullDirection) {
                case FIRST -> true;
                case LAST -> false;
                case UNSPECIFIED -> !ascending;
            };
            keys.add(new SortKey(field.getFieldIndex(), ascending, nullsFirst));
        }
        return keys;
    }

    private Planned union(Union union) {
        if (!union.all) {
            throw new IllegalStateException("UNION DISTINCT is rewritten before planning");
        }
        List<Planned> inputs = union.getInputs().stream().map(this::plan).toList();
        double rows = context.rows(union);
        if (inputs.stream().allMatch(Planned::isSingle)
                || inputs.stream().allMatch(input -> input.layout() instanceof Layout.Source)) {
            PlanNode node =
                    new PlanNode.UnionAll(inputs.stream().map(Planned::node).toList());
            return new Planned(node, inputs.getFirst().layout(), rows);
        }
        return fragmenter.spread(inputs);
    }

    private Planned values(Values values) {
        List<SqlType> types = TypeMapping.columnTypes(values.getRowType());
        List<List<Datum>> rows = new ArrayList<>();
        for (List<RexLiteral> tuple : values.getTuples()) {
            List<Datum> row = new ArrayList<>();
            for (int i = 0; i < tuple.size(); i++) {
                row.add(LiteralMapping.toDatum(tuple.get(i), types.get(i)));
            }
            rows.add(row);
        }
        return new Planned(new PlanNode.Values(types, rows), new Layout.Single(), rows.size());
    }

    private Planned tableFunction(TableFunctionApply apply) {
        Planned input = plan(apply.getInput());
        PlanNode node = new PlanNode.TableFunction(
                input.node(),
                apply.function(),
                context.rex().translateAll(apply.arguments()),
                apply.functionColumns().stream()
                        .map(column -> TypeMapping.toSql(column.getType()))
                        .toList(),
                apply.outer());
        return input.with(node, context.rows(apply));
    }

    /** Rows that a script prints in one task have nothing to do with the keys of the rows that it got. */
    private Planned script(ScriptApply apply) {
        Planned input = plan(apply.getInput());
        Layout layout = input.layout() instanceof Layout.Hashed ? new Layout.Hashed(List.of()) : input.layout();
        return new Planned(new PlanNode.Transform(input.node(), apply.script()), layout, context.rows(apply));
    }

    private Planned redistribute(Redistribute redistribute) {
        Planned input = plan(redistribute.getInput());
        List<SortKey> keys = keys(redistribute.sort());
        Planned placed = input;
        if (!redistribute.hashColumns().isEmpty() && !input.isSingle()) {
            placed = fragmenter.hash(input, redistribute.hashColumns());
        }
        return keys.isEmpty() ? placed : placed.with(new PlanNode.Sort(placed.node(), keys), placed.rows());
    }
}
