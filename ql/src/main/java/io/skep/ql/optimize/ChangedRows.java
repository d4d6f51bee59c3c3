package io.skep.ql.optimize;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Table;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TableSample;
import io.skep.ql.transaction.SourceChanges;
import io.skep.storage.acid.SeenWriteIds;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.Util;

/**
 * Derives the rows that a query has gained and lost since its tables did. Projections, conditions, inner joins and
 * UNION ALL are supported: what a join has gained are the new rows of one side with all present rows of the other, and
 * the earlier rows of the first side with the new ones of the other. What it has lost follows in the same way from the
 * removed rows. The same row may be among both. This is the usual derivation for incremental view maintenance (Gupta,
 * Mumick: Maintenance of Materialized Views, 1995).
 */
final class ChangedRows {
    /** A query of more terms would read the unchanged tables more often than a full run. */
    private static final int MAX_TERMS = 4;

    /** Conditions with more write ids are slow to compile. */
    private static final int MAX_MISSING = 1_000;

    /**
     * The changed rows of a query.
     *
     * @param removed empty if no row can have been removed
     */
    record Result(RelNode gained, Optional<RelNode> removed) {}

    private final SourceChanges changes;
    private int terms;

    private ChangedRows(SourceChanges changes) {
        this.changes = changes;
    }

    /** Returns the changed rows of a query; empty if they cannot be derived. */
    static Optional<Result> of(RelNode query, SourceChanges changes) {
        ChangedRows rows = new ChangedRows(changes);
        boolean isLarge = changes.changed().values().stream()
                .anyMatch(seen -> seen.missing().size() > MAX_MISSING);
        if (isLarge || !isSupported(query) || rows.losesUnknown(query)) {
            return Optional.empty();
        }
        Optional<RelNode> gained = rows.changed(query, false);
        Optional<RelNode> removed = rows.changed(query, true);
        return rows.terms > MAX_TERMS ? Optional.empty() : gained.map(found -> new Result(found, removed));
    }

    /** Whether rows may have been removed that have no identifiers. */
    private boolean losesUnknown(RelNode node) {
        return node instanceof TableScan scan
                ? table(scan).isInsertOnly()
                        && changes.shrunk().contains(table(scan).qualifiedName())
                : node.getInputs().stream().anyMatch(this::losesUnknown);
    }

    /** Whether a query has only operators whose changed rows can be derived. */
    static boolean isDerivable(RelNode query) {
        return isSupported(query);
    }

    private static boolean isSupported(RelNode node) {
        boolean supported = switch (node) {
            case TableScan scan ->
                table(scan).isTransactional()
                        && scan.getTable()
                                .unwrapOrThrow(SkepTable.class)
                                .sample()
                                .isEmpty();
            case Project project ->
                !project.containsOver() && project.getProjects().stream().allMatch(ChangedRows::isPlain);
            case Filter filter -> isPlain(filter.getCondition());
            case Join join ->
                join.getJoinType() == JoinRelType.INNER
                        && join.getVariablesSet().isEmpty()
                        && isPlain(join.getCondition());
            case Union union -> union.all;
            default -> false;
        };
        return supported && node.getInputs().stream().allMatch(ChangedRows::isSupported);
    }

    private static boolean isPlain(RexNode expression) {
        try {
            expression.accept(new RexVisitorImpl<Void>(true) {
                @Override
                public Void visitSubQuery(RexSubQuery subQuery) {
                    throw Util.FoundOne.NULL;
                }
            });
        } catch (Util.FoundOne found) {
            return false;
        }
        return RexUtil.isDeterministic(expression) && !RexUtil.containsCorrelation(expression);
    }

    private static Table table(TableScan scan) {
        return scan.getTable().unwrapOrThrow(SkepTable.class).table();
    }

    /** Returns the removed rows or the gained ones; empty if there are none. */
    private Optional<RelNode> changed(RelNode node, boolean removed) {
        return switch (node) {
            case TableScan scan -> changed(scan, removed);
            case Join join -> joined(join, removed);
            case Union union ->
                all(union.getInputs().stream()
                        .flatMap(input -> changed(input, removed).stream())
                        .toList());
            default -> changed(node.getInput(0), removed).map(input -> node.copy(node.getTraitSet(), List.of(input)));
        };
    }

    private Optional<RelNode> changed(TableScan scan, boolean removed) {
        String name = table(scan).qualifiedName();
        SeenWriteIds seen = changes.changed().get(name);
        if (seen == null || removed && !changes.shrunk().contains(name)) {
            return Optional.empty();
        }
        terms++;
        return Optional.of(removed ? removed(scan, seen) : visible(scan, seen, true));
    }

    private Optional<RelNode> joined(Join join, boolean removed) {
        RelNode left = join.getLeft();
        RelNode right = join.getRight();
        List<RelNode> parts = new ArrayList<>();
        changed(left, removed).ifPresent(rows -> parts.add(join.copy(join.getTraitSet(), List.of(rows, right))));
        changed(right, removed)
                .ifPresent(rows -> parts.add(join.copy(join.getTraitSet(), List.of(earlier(left), rows))));
        return all(parts);
    }

    private static Optional<RelNode> all(List<RelNode> parts) {
        return parts.size() > 1
                ? Optional.of(LogicalUnion.create(parts, true))
                : parts.stream().findFirst();
    }

    /** Returns the rows that a part of the query had before. */
    private RelNode earlier(RelNode node) {
        if (node instanceof TableScan scan) {
            return earlier(scan);
        }
        List<RelNode> inputs = node.getInputs().stream().map(this::earlier).toList();
        return inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    }

    private RelNode earlier(TableScan scan) {
        String name = table(scan).qualifiedName();
        SeenWriteIds seen = changes.changed().get(name);
        if (seen == null) {
            return scan;
        }
        RelNode kept = visible(scan, seen, false);
        return changes.shrunk().contains(name) ? LogicalUnion.create(List.of(kept, removed(scan, seen)), true) : kept;
    }

    /** Rows of insert-only tables have no identifiers, so they are chosen by their files. */
    private static RelNode visible(TableScan scan, SeenWriteIds seen, boolean added) {
        SkepTable table = scan.getTable().unwrapOrThrow(SkepTable.class);
        if (table.table().isInsertOnly()) {
            return table.sampled(new TableSample.Writes(seen, added)).scan(scan.getCluster());
        }
        HiveRexBuilder rex = rex(scan);
        RexNode isAdded = isAdded(scan, table(scan), seen);
        return LogicalFilter.create(scan, added ? isAdded : rex.makeCall(SqlStdOperatorTable.NOT, isAdded));
    }

    /** Returns the rows that were visible when the seen ones were, and are deleted by now. */
    private static RelNode removed(TableScan scan, SeenWriteIds seen) {
        HiveRexBuilder rex = rex(scan);
        RelNode rows = scan.getTable()
                .unwrapOrThrow(SkepTable.class)
                .sampled(new TableSample.Removed(seen))
                .scan(scan.getCluster());
        RexNode wasAdded = rex.makeCall(SqlStdOperatorTable.NOT, isAdded(rows, table(scan), seen));
        return LogicalFilter.create(
                rows,
                rex.makeCall(
                        SqlStdOperatorTable.AND, column(rows, table(scan), VirtualColumn.ROW_IS_DELETED), wasAdded));
    }

    private static RexNode column(RelNode scan, Table table, VirtualColumn column) {
        int stored = SkepTable.storedColumns(table).size();
        return rex(scan).makeInputRef(scan, stored + column.ordinal());
    }

    private static HiveRexBuilder rex(RelNode node) {
        return (HiveRexBuilder) node.getCluster().getRexBuilder();
    }

    /** The first condition lets the files of earlier write ids be left out. */
    private static RexNode isAdded(RelNode scan, Table table, SeenWriteIds seen) {
        HiveRexBuilder rex = rex(scan);
        RexNode writeId = rex.field(column(scan, table, VirtualColumn.ROW_ID), "writeid", PrimitiveType.BIGINT);
        RexNode later = after(writeId, seen.highest(), rex);
        if (seen.missing().isEmpty()) {
            return later;
        }
        List<RexNode> missing = seen.missing().stream()
                .<RexNode>map(id -> rex.constant(new Datum.OfLong(id), PrimitiveType.BIGINT))
                .toList();
        RexNode unseen = rex.makeCall(SqlStdOperatorTable.OR, later, rex.makeIn(writeId, missing));
        return rex.makeCall(SqlStdOperatorTable.AND, after(writeId, seen.firstUnseen() - 1, rex), unseen);
    }

    private static RexNode after(RexNode writeId, long bound, HiveRexBuilder rex) {
        return rex.makeCall(
                SqlStdOperatorTable.GREATER_THAN, writeId, rex.constant(new Datum.OfLong(bound), PrimitiveType.BIGINT));
    }
}
