package io.skep.ql.explain;

import io.skep.common.query.OperatorStats;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.ExecutionStats.FragmentStats;
import io.skep.engine.schedule.TaskLayout;
import io.skep.ql.physical.EstimatedRows;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.rel.TableSample;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Prints a stage graph as text. The root fragment comes first, and each operator is above its inputs. A line ends with
 * the estimated number of rows, if there is an estimate. {@link ColumnNames} says how columns are named.
 */
public final class PlanPrinter {
    private final PhysicalPlan plan;
    private final ColumnNames names;

    /** The figures of the fragments that have run, by their ids. */
    private final Map<Integer, FragmentStats> figures;

    private final StringBuilder text = new StringBuilder();

    private PlanPrinter(PhysicalPlan plan, List<FragmentStats> figures) {
        this.plan = plan;
        this.names = new ColumnNames(plan.graph());
        this.figures = figures.stream().collect(Collectors.toMap(FragmentStats::fragment, one -> one));
    }

    public static String print(PhysicalPlan plan) {
        return print(plan, List.of());
    }

    /** Prints a plan that has run, with the actual tasks and rows of each fragment, and the figures of the run. */
    public static String print(PhysicalPlan plan, ExecutionStats stats) {
        return print(plan, stats.fragments())
                + RunPrinter.lines(stats).map(line -> line + "\n").collect(Collectors.joining());
    }

    private static String print(PhysicalPlan plan, List<FragmentStats> figures) {
        PlanPrinter printer = new PlanPrinter(plan, figures);
        printer.line(
                0,
                String.format(
                        Locale.ROOT,
                        "Plan, about %,.0f rows to read",
                        plan.graph().estimatedRows()));
        if (!plan.answered().isEmpty()) {
            printer.line(0, "From statistics: " + String.join(", ", plan.answered()));
        }
        List<Fragment> fragments = plan.graph().fragments();
        for (int i = fragments.size() - 1; i >= 0; i--) {
            printer.fragment(fragments.get(i), i);
        }
        return printer.text.toString();
    }

    private void fragment(Fragment fragment, int position) {
        String tasks = switch (fragment.distribution()) {
            case SINGLE -> "one task";
            case SOURCE -> "tasks share the splits";
            case HASH -> "a task for each partition";
        };
        boolean root = fragment.id() == plan.graph().root().id();
        line(
                0,
                "Fragment " + fragment.id() + " (" + tasks + "), output " + (root ? "to the client" : output(fragment))
                        + readers(fragment.id()) + actual(fragment.id()));
        node(fragment.root(), 1, position, 0);
    }

    /** Returns the tasks and rows of a fragment that has run. */
    private String actual(int fragment) {
        FragmentStats stats = figures.get(fragment);
        return stats == null
                ? ""
                : String.format(Locale.ROOT, "; actual tasks=%d, rows=%d", stats.tasks(), stats.outputRows());
    }

    /** Returns the fragments that read a shared fragment. */
    private String readers(int fragment) {
        long readers = plan.graph().fragments().stream()
                .filter(other -> TaskLayout.producers(other.root()).contains(fragment))
                .count();
        return readers < 2 ? "" : ", read by " + readers + " fragments";
    }

    private String output(Fragment fragment) {
        return switch (fragment.output()) {
            case Fragment.Output.Gather gather -> "to one task";
            case Fragment.Output.Hash hash ->
                "by hash of " + ColumnNames.list(hash.columns(), ColumnNames.lookup(names.of(fragment.root())));
            case Fragment.Output.Broadcast broadcast -> "to all tasks";
            case Fragment.Output.RoundRobin roundRobin -> "in turn";
        };
    }

    /**
     * Prints an operator and those below it.
     *
     * @param fragment the position of its fragment
     * @param position the position of the operator in the fragment, as in {@link EstimatedRows}
     * @return the position after the last operator below
     */
    private int node(PlanNode node, int depth, int fragment, int position) {
        OptionalDouble rows = plan.rows().of(fragment, position);
        line(
                depth,
                describe(node)
                        + (rows.isPresent() ? String.format(Locale.ROOT, "; rows=%.0f", rows.getAsDouble()) : "")
                        + actual(node, operator(fragment, position), rows));
        int next = position + 1;
        for (PlanNode input : node.inputs()) {
            next = node(input, depth + 1, fragment, next);
        }
        return next;
    }

    /** A write puts out a row for each of its files, and the estimate is that of the rows that it gets. */
    private static String actual(PlanNode node, OperatorStats stats, OptionalDouble estimated) {
        return node instanceof PlanNode.TableWrite
                ? RunPrinter.operator(stats, "files", OptionalDouble.empty())
                : RunPrinter.operator(stats, "rows", estimated);
    }

    private OperatorStats operator(int fragment, int position) {
        FragmentStats stats = figures.get(plan.graph().fragments().get(fragment).id());
        return stats == null || position >= stats.operators().size()
                ? OperatorStats.NONE
                : stats.operators().get(position);
    }

    private String describe(PlanNode node) {
        IntFunction<String> inputs = ColumnNames.lookup(names.ofInputs(node));
        ExpressionPrinter expressions = new ExpressionPrinter(inputs);
        return switch (node) {
            case PlanNode.Scan scan -> scan(scan);
            case PlanNode.Values values -> "Values: " + values.rows().size() + " rows";
            case PlanNode.RemoteSource source ->
                "From fragments " + source.fragments()
                        + (source.mergeOrder().isEmpty()
                                ? ""
                                : ", merged by " + order(source.mergeOrder(), ColumnNames.lookup(names.of(source))));
            case PlanNode.Filter filter -> "Filter: " + expressions.print(filter.predicate());
            case PlanNode.Project project -> "Project: " + expressions.printAll(project.expressions());
            case PlanNode.Expand expand -> "Expand: " + expand.projections().size() + " rows a row";
            case PlanNode.Aggregate aggregate -> aggregate(aggregate, inputs);
            case PlanNode.Join join -> join(join);
            case PlanNode.Sort sort -> "Sort: " + order(sort.keys(), inputs);
            case PlanNode.TopN top -> "Top " + top.count() + ": " + order(top.keys(), inputs);
            case PlanNode.Limit limit ->
                "Limit: " + limit.count() + (limit.offset() == 0 ? "" : " after " + limit.offset());
            case PlanNode.Window window -> window(window, inputs);
            case PlanNode.UnionAll union -> "Union all";
            case PlanNode.TableFunction function ->
                "Lateral view" + (function.outer() ? " outer" : "") + ": " + function.function() + "("
                        + expressions.printAll(function.arguments()) + ")";
            case PlanNode.TableWrite write -> "Write: " + write.table().name();
            case PlanNode.Transform transform ->
                "Transform by '" + transform.script().text() + "': "
                        + IntStream.range(0, transform.input().outputTypes().size())
                                .mapToObj(inputs)
                                .collect(Collectors.joining(", "));
        };
    }

    private String scan(PlanNode.Scan scan) {
        IntFunction<String> columns = ColumnNames.lookup(names.of(scan));
        String read =
                IntStream.range(0, scan.outputTypes().size()).mapToObj(columns).collect(Collectors.joining(", "));
        StringBuilder description =
                new StringBuilder("Scan " + scan.request().table().name() + (read.isEmpty() ? "" : ": " + read));
        plan.scans().stream()
                .filter(assignment -> assignment.scan() == scan.id())
                .map(ScanAssignment::partitionPredicates)
                .filter(predicates -> !predicates.isEmpty())
                .forEach(predicates -> description
                        .append("; partitions where ")
                        .append(partitionKeys(scan).printAll(predicates)));
        plan.scans().stream()
                .filter(assignment -> assignment.scan() == scan.id())
                .flatMap(assignment -> assignment.sample().stream())
                .forEach(sample -> description.append(sample(sample)));
        scan.filter()
                .ifPresent(
                        filter -> description.append("; where ").append(new ExpressionPrinter(columns).print(filter)));
        if (!scan.request().predicates().isEmpty()) {
            description
                    .append("; skips row groups by ")
                    .append(scan.request().predicates().size())
                    .append(" conditions");
        }
        scan.runtimeFilters()
                .forEach(filter -> description
                        .append("; runtime filter ")
                        .append(filter.id())
                        .append(" on ")
                        .append(columns.apply(filter.column())));
        scan.splitFilters()
                .forEach(filter -> description
                        .append("; splits by ")
                        .append(columns.apply(filter.column()))
                        .append(" among ")
                        .append(filter.fragments().stream()
                                .map(fragment -> ColumnNames.lookup(names.of(fragment))
                                                .apply(filter.source()) + " of fragment " + fragment)
                                .collect(Collectors.joining(", "))));
        return description.toString();
    }

    /** Returns the description of a sample of files. That of rows has an operator of its own. */
    private static String sample(TableSample sample) {
        return switch (sample) {
            case TableSample.Rows _ -> "";
            case TableSample.Percent part -> "; sample of " + part.percent() + " percent of the files";
            case TableSample.Bytes part -> "; sample of " + part.bytes() + " bytes of the files";
            case TableSample.Writes part
            when part.later() -> "; files of later writes than " + part.seen().highest();
            case TableSample.Writes part ->
                "; files of no later writes than " + part.seen().highest();
            case TableSample.Removed part ->
                "; rows removed by later writes than " + part.seen().highest();
        };
    }

    private static ExpressionPrinter partitionKeys(PlanNode.Scan scan) {
        List<Column> keys = scan.request().table().partitionColumns();
        return new ExpressionPrinter(key -> keys.get(key).name());
    }

    private String join(PlanNode.Join join) {
        IntFunction<String> both = ColumnNames.lookup(names.ofInputs(join));
        int left = join.left().outputTypes().size();
        String keys = IntStream.range(0, join.leftKeys().size())
                .mapToObj(key -> both.apply(join.leftKeys().get(key))
                        + (join.nullSafe().get(key) ? " <=> " : " = ")
                        + both.apply(left + join.rightKeys().get(key)))
                .collect(Collectors.joining(" and "));
        String kind = join.kind().name().toLowerCase(Locale.ROOT);
        return "Join (" + kind + "): " + (keys.isEmpty() ? "every pair" : keys)
                + join.residual()
                        .map(residual -> ", where " + new ExpressionPrinter(both).print(residual))
                        .orElse("")
                + join.runtimeFilters().stream()
                        .map(filter -> ", gives runtime filter " + filter.id() + " of "
                                + both.apply(left + join.rightKeys().get(filter.column())))
                        .collect(Collectors.joining());
    }

    private static String aggregate(PlanNode.Aggregate aggregate, IntFunction<String> inputs) {
        String groups = ColumnNames.list(aggregate.groupColumns(), inputs);
        String calls = aggregate.calls().stream()
                .map(call -> aggregate.step().mergesStates()
                        ? inputs.apply(call.arguments().getFirst())
                        : ColumnNames.call(call, inputs))
                .collect(Collectors.joining(", "));
        return "Aggregate (" + aggregate.step().name().toLowerCase(Locale.ROOT) + "): by [" + groups + "] " + calls;
    }

    private static String window(PlanNode.Window window, IntFunction<String> inputs) {
        return "Window: partition by [" + ColumnNames.list(window.partitionColumns(), inputs) + "] order by "
                + order(window.order(), inputs) + " "
                + window.calls().stream()
                        .map(call -> ColumnNames.call(call, inputs))
                        .collect(Collectors.joining(", "));
    }

    private static String order(List<SortKey> keys, IntFunction<String> columns) {
        return keys.stream()
                .map(key -> columns.apply(key.column())
                        + (key.ascending() ? "" : " desc")
                        + (key.nullsFirst() == key.ascending()
                                ? ""
                                : key.nullsFirst() ? " nulls first" : " nulls last"))
                .collect(Collectors.joining(", "));
    }

    private void line(int depth, String line) {
        text.append("  ".repeat(depth)).append(line).append('\n');
    }
}
