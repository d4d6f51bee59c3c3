package io.skep.ql.explain;

import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import io.skep.engine.schedule.TaskLayout;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Prints a stage graph as text. The root fragment comes first, and each operator is above its inputs. Columns are
 * {@code $n} of the input.
 */
public final class PlanPrinter {
    private final PhysicalPlan plan;
    private final StringBuilder text = new StringBuilder();

    private PlanPrinter(PhysicalPlan plan) {
        this.plan = plan;
    }

    public static String print(PhysicalPlan plan) {
        PlanPrinter printer = new PlanPrinter(plan);
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
            printer.fragment(fragments.get(i));
        }
        return printer.text.toString();
    }

    private void fragment(Fragment fragment) {
        String tasks = switch (fragment.distribution()) {
            case SINGLE -> "one task";
            case SOURCE -> "tasks share the splits";
            case HASH -> "a task for each partition";
        };
        boolean root = fragment.id() == plan.graph().root().id();
        line(
                0,
                "Fragment " + fragment.id() + " (" + tasks + "), output "
                        + (root ? "to the client" : output(fragment.output())) + readers(fragment.id()));
        node(fragment.root(), 1);
    }

    /** Returns the fragments that read a shared fragment. */
    private String readers(int fragment) {
        long readers = plan.graph().fragments().stream()
                .filter(other -> TaskLayout.producers(other.root()).contains(fragment))
                .count();
        return readers < 2 ? "" : ", read by " + readers + " fragments";
    }

    private static String output(Fragment.Output output) {
        return switch (output) {
            case Fragment.Output.Gather gather -> "to one task";
            case Fragment.Output.Hash hash -> "by hash of " + columns(hash.columns());
            case Fragment.Output.Broadcast broadcast -> "to all tasks";
            case Fragment.Output.RoundRobin roundRobin -> "in turn";
        };
    }

    private void node(PlanNode node, int depth) {
        line(depth, describe(node));
        node.inputs().forEach(input -> node(input, depth + 1));
    }

    private String describe(PlanNode node) {
        return switch (node) {
            case PlanNode.Scan scan -> scan(scan);
            case PlanNode.Values values -> "Values: " + values.rows().size() + " rows";
            case PlanNode.RemoteSource source ->
                "From fragments " + source.fragments()
                        + (source.mergeOrder().isEmpty() ? "" : ", merged by " + order(source.mergeOrder()));
            case PlanNode.Filter filter -> "Filter: " + ExpressionPrinter.print(filter.predicate());
            case PlanNode.Project project -> "Project: " + ExpressionPrinter.printAll(project.expressions());
            case PlanNode.Expand expand -> "Expand: " + expand.projections().size() + " rows a row";
            case PlanNode.Aggregate aggregate ->
                "Aggregate (" + aggregate.step().name().toLowerCase(Locale.ROOT) + "): by "
                        + columns(aggregate.groupColumns()) + " " + aggregates(aggregate.calls());
            case PlanNode.Join join -> join(join);
            case PlanNode.Sort sort -> "Sort: " + order(sort.keys());
            case PlanNode.TopN top -> "Top " + top.count() + ": " + order(top.keys());
            case PlanNode.Limit limit ->
                "Limit: " + limit.count() + (limit.offset() == 0 ? "" : " after " + limit.offset());
            case PlanNode.Window window ->
                "Window: partition by " + columns(window.partitionColumns()) + " order by " + order(window.order())
                        + " "
                        + window.calls().stream().map(WindowCall::function).collect(Collectors.joining(", "));
            case PlanNode.UnionAll union -> "Union all";
            case PlanNode.TableFunction function ->
                "Lateral view" + (function.outer() ? " outer" : "") + ": " + function.function() + "("
                        + ExpressionPrinter.printAll(function.arguments()) + ")";
            case PlanNode.TableWrite write -> "Write: " + write.table().name();
        };
    }

    private String scan(PlanNode.Scan scan) {
        String columns = scan.request().columns().stream()
                .map(ordinal -> scan.request().table().column(ordinal).name())
                .collect(Collectors.joining(", "));
        StringBuilder description =
                new StringBuilder("Scan " + scan.request().table().name() + ": " + columns);
        plan.scans().stream()
                .filter(assignment -> assignment.scan() == scan.id())
                .map(ScanAssignment::partitionPredicates)
                .filter(predicates -> !predicates.isEmpty())
                .forEach(predicates ->
                        description.append("; partitions where ").append(ExpressionPrinter.printAll(predicates)));
        scan.filter().ifPresent(filter -> description.append("; where ").append(ExpressionPrinter.print(filter)));
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
                        .append(" on $")
                        .append(filter.column()));
        scan.splitFilters()
                .forEach(filter -> description
                        .append("; splits by $")
                        .append(filter.column())
                        .append(" among $")
                        .append(filter.source())
                        .append(" of ")
                        .append(filter.fragments().stream()
                                .map(fragment -> "fragment " + fragment)
                                .collect(Collectors.joining(", "))));
        return description.toString();
    }

    private static String join(PlanNode.Join join) {
        String keys = columns(join.leftKeys()) + " = " + columns(join.rightKeys());
        String kind = join.kind().name().toLowerCase(Locale.ROOT);
        return "Join (" + kind + "): " + (join.leftKeys().isEmpty() ? "every pair" : keys)
                + join.residual()
                        .map(residual -> ", where " + ExpressionPrinter.print(residual))
                        .orElse("")
                + join.runtimeFilters().stream()
                        .map(filter -> ", gives runtime filter " + filter.id() + " of $"
                                + join.rightKeys().get(filter.column()))
                        .collect(Collectors.joining());
    }

    private static String aggregates(List<AggregateCall> calls) {
        return calls.stream()
                .map(call -> call.function() + "(" + (call.distinct() ? "distinct " : "")
                        + columns(call.arguments()).replaceAll("[\\[\\]]", "") + ")")
                .collect(Collectors.joining(", "));
    }

    private static String columns(List<Integer> columns) {
        return columns.stream().map(column -> "$" + column).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String order(List<SortKey> keys) {
        return keys.stream()
                .map(key -> "$" + key.column() + (key.ascending() ? "" : " desc")
                        + (key.nullsFirst() == key.ascending()
                                ? ""
                                : key.nullsFirst() ? " nulls first" : " nulls last"))
                .collect(Collectors.joining(", "));
    }

    private void line(int depth, String line) {
        text.append("  ".repeat(depth)).append(line).append('\n');
    }
}
