package io.skep.ql.physical;

import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.metastore.HeapBytes;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.TableLayout;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * Estimates the heap size of a plan in bytes: its operators, expressions, constants and tables. Works without
 * recursion, so that deep plans need no stack.
 */
public final class PlanBytes {
    private static final long NODE = 160;
    private static final long EXPRESSION = 72;
    private static final long COLUMN = 80;

    private final Deque<PlanNode> nodes = new ArrayDeque<>();
    private final Deque<Expression> expressions = new ArrayDeque<>();
    private long sum;

    private PlanBytes() {}

    public static long of(PhysicalPlan plan) {
        PlanBytes bytes = new PlanBytes();
        for (Fragment fragment : plan.graph().fragments()) {
            bytes.nodes.push(fragment.root());
        }
        for (ScanAssignment scan : plan.scans()) {
            bytes.sum += HeapBytes.of(scan.table());
            bytes.expressions.addAll(scan.partitionPredicates());
            scan.skewCondition().ifPresent(bytes.expressions::add);
        }
        bytes.add();
        return bytes.sum;
    }

    private void add() {
        while (!nodes.isEmpty()) {
            PlanNode node = nodes.pop();
            sum += NODE;
            nodes.addAll(node.inputs());
            addParts(node);
        }
        while (!expressions.isEmpty()) {
            Expression expression = expressions.pop();
            sum += EXPRESSION;
            addParts(expression);
        }
    }

    private void addParts(PlanNode node) {
        switch (node) {
            case PlanNode.Scan n -> {
                n.filter().ifPresent(expressions::push);
                addTable(n.request().table());
                sum += COLUMN * n.request().columns().size();
                n.request().predicates().forEach(this::addPredicate);
            }
            case PlanNode.Values n -> {
                for (List<Datum> row : n.rows()) {
                    sum += EXPRESSION + bytes(row);
                }
            }
            case PlanNode.Filter n -> expressions.push(n.predicate());
            case PlanNode.Project n -> expressions.addAll(n.expressions());
            case PlanNode.Expand n -> n.projections().forEach(expressions::addAll);
            case PlanNode.Join n -> {
                n.residual().ifPresent(expressions::push);
                sum += COLUMN * n.leftKeys().size();
            }
            case PlanNode.TableFunction n -> {
                expressions.addAll(n.arguments());
                sum += COLUMN * n.functionTypes().size();
            }
            case PlanNode.TableWrite n -> addTable(n.table());
            case PlanNode.Transform n -> {
                addTable(n.script().input());
                addTable(n.script().output());
                sum += EXPRESSION * n.script().command().size()
                        + NODE * n.script().files().size();
            }
            case PlanNode.Aggregate n ->
                sum += COLUMN * n.groupColumns().size() + NODE * n.calls().size();
            case PlanNode.Window n ->
                sum += COLUMN * (n.partitionColumns().size() + n.order().size())
                        + NODE * n.calls().size();
            case PlanNode.Sort n -> sum += COLUMN * n.keys().size();
            case PlanNode.TopN n -> sum += COLUMN * n.keys().size();
            case PlanNode.RemoteSource n -> sum += COLUMN * n.outputTypes().size();
            case PlanNode.Limit _ -> {}
            case PlanNode.UnionAll _ -> {}
        }
    }

    private void addTable(TableLayout table) {
        sum += COLUMN * (table.dataColumns().size() + table.partitionColumns().size());
    }

    private void addPredicate(ColumnPredicate predicate) {
        sum += EXPRESSION;
        if (predicate instanceof ColumnPredicate.In in) {
            sum += bytes(in.values());
        }
    }

    private static long bytes(Collection<Datum> values) {
        long bytes = 0;
        for (Datum value : values) {
            bytes += Long.BYTES + value.heapBytes();
        }
        return bytes;
    }

    private void addParts(Expression expression) {
        switch (expression) {
            case Expression.Constant e -> sum += e.value().heapBytes();
            case Expression.Call e -> expressions.addAll(e.arguments());
            case Expression.Cast e -> expressions.push(e.operand());
            case Expression.And e -> expressions.addAll(e.operands());
            case Expression.Or e -> expressions.addAll(e.operands());
            case Expression.Case e -> {
                expressions.push(e.otherwise());
                e.branches().forEach(branch -> {
                    expressions.push(branch.condition());
                    expressions.push(branch.value());
                });
            }
            case Expression.In e -> {
                expressions.push(e.value());
                expressions.addAll(e.candidates());
            }
            case Expression.InputColumn _ -> {}
        }
    }
}
