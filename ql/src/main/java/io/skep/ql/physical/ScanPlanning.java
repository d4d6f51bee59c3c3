package io.skep.ql.physical;

import io.skep.engine.plan.Expression;
import io.skep.engine.plan.MappedColumns;
import io.skep.engine.plan.PlanNode;
import io.skep.metastore.Table;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TableSample;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.IntStream;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Plans scans. Determines which columns are read, which conditions prune partitions and which are checked on rows. Of
 * the latter, it also determines which ones the reader may use to skip row groups.
 */
final class ScanPlanning {
    private final PlanningContext context;
    private final Fragmenter fragmenter;
    private final EstimatedRows.Collector estimates;
    private final List<ScanAssignment> assignments = new ArrayList<>();
    private double estimatedRows;

    ScanPlanning(PlanningContext context, Fragmenter fragmenter, EstimatedRows.Collector estimates) {
        this.context = context;
        this.fragmenter = fragmenter;
        this.estimates = estimates;
    }

    List<ScanAssignment> assignments() {
        return assignments;
    }

    double estimatedRows() {
        return estimatedRows;
    }

    /** Plans a scan of all columns. */
    Planned scan(TableScan scan, @Nullable Filter filter) {
        List<Integer> all =
                IntStream.range(0, scan.getRowType().getFieldCount()).boxed().toList();
        return scan(scan, filter, all);
    }

    /** Plans a scan whose output is the given ordinals of the table, in that order. */
    Planned scan(TableScan scan, @Nullable Filter filter, List<Integer> ordinals) {
        SkepTable scanned = scan.getTable().unwrapOrThrow(SkepTable.class);
        Table table = scanned.table();
        TableLayout layout = TableLayouts.of(table);
        List<Expression> conjuncts =
                filter == null ? List.of() : Expressions.conjuncts(context.rex().translate(filter.getCondition()));
        List<Expression> partitionConjuncts = new ArrayList<>();
        List<Expression> rowConjuncts = new ArrayList<>();
        for (Expression conjunct : conjuncts) {
            (onPartitionsOnly(conjunct, layout) ? partitionConjuncts : rowConjuncts).add(conjunct);
        }
        int id = fragmenter.nextScanId();
        // A sample is one of all files.
        long minWriteId = scanned.sample().isPresent() ? 0 : WriteIdBound.lowest(rowConjuncts, layout);
        Optional<Expression> skewCondition = filter == null || !RexUtil.isDeterministic(filter.getCondition())
                ? Optional.empty()
                : SkewCondition.of(rowConjuncts, table);
        assignments.add(new ScanAssignment(
                id, table, overPartitionKeys(partitionConjuncts, layout), skewCondition, scanned.sample(), minWriteId));
        double rows = context.rows(filter == null ? scan : filter);
        estimatedRows += rows;
        if (scanned.sample().orElse(null) instanceof TableSample.Rows sample) {
            return sampled(sample, node(layout, id, rowConjuncts, List.of(), ordinals), rowConjuncts, ordinals.size());
        }
        PlanNode.Scan node = node(layout, id, rowConjuncts, rowConjuncts, ordinals);
        estimates.add(node, rows);
        return new Planned(wanted(node, ordinals.size()), spread(), rows);
    }

    private Layout spread() {
        return context.singleTask() ? new Layout.Single() : new Layout.Source();
    }

    /** Takes the first rows of a scan, and checks the conditions on them. */
    private Planned sampled(TableSample.Rows sample, PlanNode.Scan scan, List<Expression> conjuncts, int columns) {
        double count = (double) sample.count();
        estimates.add(scan, count);
        Planned first = new Planned(new PlanNode.Limit(scan, 0, sample.count()), spread(), count);
        Planned all = fragmenter.gather(first, List.of());
        PlanNode rows = first.isSingle() ? all.node() : new PlanNode.Limit(all.node(), 0, sample.count());
        Optional<Expression> condition = overRead(conjuncts, scan.request().columns());
        PlanNode kept = condition.isEmpty() ? rows : new PlanNode.Filter(rows, condition.get());
        return all.with(wanted(kept, columns), count);
    }

    static boolean onPartitionsOnly(Expression conjunct, TableLayout layout) {
        int first = layout.dataColumns().size();
        int end = first + layout.partitionColumns().size();
        SortedSet<Integer> columns = Expressions.columns(conjunct);
        return !columns.isEmpty() && columns.first() >= first && columns.last() < end;
    }

    static List<Expression> overPartitionKeys(List<Expression> conjuncts, TableLayout layout) {
        int first = layout.dataColumns().size();
        return conjuncts.stream()
                .map(conjunct -> MappedColumns.in(
                        conjunct, column -> new Expression.InputColumn(column.index() - first, column.type())))
                .toList();
    }

    /**
     * Reads the wanted columns, then those that only the conditions need.
     *
     * @param checked those of the conditions that the scan checks
     */
    private static PlanNode.Scan node(
            TableLayout layout, int id, List<Expression> conjuncts, List<Expression> checked, List<Integer> wanted) {
        List<Integer> read = new ArrayList<>(wanted);
        for (Expression conjunct : conjuncts) {
            for (int column : Expressions.columns(conjunct)) {
                if (!read.contains(column)) {
                    read.add(column);
                }
            }
        }
        int dataColumns = layout.dataColumns().size();
        List<Integer> identity = IntStream.range(
                        0, dataColumns + layout.partitionColumns().size())
                .boxed()
                .toList();
        List<Expression> onData = checked.stream()
                .filter(conjunct -> Expressions.columns(conjunct).stream().allMatch(column -> column < dataColumns))
                .toList();
        ScanRequest request = new ScanRequest(layout, read, PredicateExtractor.extract(onData, identity));
        return new PlanNode.Scan(id, request, overRead(checked, read));
    }

    /** Returns the conjunction of conditions over the columns that are read. */
    private static Optional<Expression> overRead(List<Expression> conjuncts, List<Integer> read) {
        return Expressions.and(conjuncts)
                .map(condition -> MappedColumns.in(
                        condition, column -> new Expression.InputColumn(read.indexOf(column.index()), column.type())));
    }

    /** Drops the columns after the first ones, which are wanted. */
    private static PlanNode wanted(PlanNode rows, int columns) {
        List<Expression> all = Expressions.identity(rows.outputTypes());
        return all.size() == columns ? rows : new PlanNode.Project(rows, all.subList(0, columns));
    }
}
