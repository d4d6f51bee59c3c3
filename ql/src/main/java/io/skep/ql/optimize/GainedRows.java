package io.skep.ql.optimize;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Table;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.rel.TableSample;
import io.skep.ql.transaction.SeenWriteIds;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * Derives the rows that a query has gained since its tables got further rows, and no row was changed or removed.
 * Projections, conditions, inner joins and UNION ALL are supported: what a join has gained are the new rows of one side
 * with all rows of the other, and the earlier rows of the first side with the new ones of the other. This is the usual
 * derivation for incremental view maintenance, for insertions only (Gupta, Mumick: Maintenance of Materialized Views,
 * 1995).
 */
final class GainedRows {
    /** A query of more terms would read the unchanged tables more often than a full run. */
    private static final int MAX_TERMS = 4;

    /** Conditions with more write ids are slow to compile. */
    private static final int MAX_MISSING = 1_000;

    private final Map<String, SeenWriteIds> grown;
    private int terms;

    /** @param grown the tables with further rows, by name with the database, and the write ids of the earlier rows */
    private GainedRows(Map<String, SeenWriteIds> grown) {
        this.grown = grown;
    }

    /** Returns the gained rows of a query; empty if they cannot be derived. */
    static Optional<RelNode> of(RelNode query, Map<String, SeenWriteIds> grown) {
        GainedRows rows = new GainedRows(grown);
        boolean isLarge =
                grown.values().stream().anyMatch(seen -> seen.missing().size() > MAX_MISSING);
        if (isLarge || !isSupported(query)) {
            return Optional.empty();
        }
        Optional<RelNode> gained = rows.gained(query);
        return rows.terms > MAX_TERMS ? Optional.empty() : gained;
    }

    /** Whether a query has only operators whose gained rows can be derived. */
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
                !project.containsOver() && project.getProjects().stream().allMatch(GainedRows::isPlain);
            case Filter filter -> isPlain(filter.getCondition());
            case Join join ->
                join.getJoinType() == JoinRelType.INNER
                        && join.getVariablesSet().isEmpty()
                        && isPlain(join.getCondition());
            case Union union -> union.all;
            default -> false;
        };
        return supported && node.getInputs().stream().allMatch(GainedRows::isSupported);
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

    /** Empty if there are none. */
    private Optional<RelNode> gained(RelNode node) {
        return switch (node) {
            case TableScan scan -> added(scan);
            case Join join -> joined(join);
            case Union union ->
                all(union.getInputs().stream()
                        .flatMap(input -> gained(input).stream())
                        .toList());
            default -> gained(node.getInput(0)).map(input -> node.copy(node.getTraitSet(), List.of(input)));
        };
    }

    private Optional<RelNode> added(TableScan scan) {
        SeenWriteIds seen = grown.get(table(scan).qualifiedName());
        if (seen == null) {
            return Optional.empty();
        }
        terms++;
        return Optional.of(rows(scan, seen, true));
    }

    private Optional<RelNode> joined(Join join) {
        RelNode left = join.getLeft();
        RelNode right = join.getRight();
        List<RelNode> parts = new ArrayList<>();
        gained(left).ifPresent(gained -> parts.add(join.copy(join.getTraitSet(), List.of(gained, right))));
        gained(right).ifPresent(gained -> parts.add(join.copy(join.getTraitSet(), List.of(earlier(left), gained))));
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
            SeenWriteIds seen = grown.get(table(scan).qualifiedName());
            return seen == null ? scan : rows(scan, seen, false);
        }
        List<RelNode> inputs = node.getInputs().stream().map(this::earlier).toList();
        return inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    }

    /** Rows of insert-only tables have no identifiers, so they are chosen by their files. */
    private static RelNode rows(TableScan scan, SeenWriteIds seen, boolean added) {
        SkepTable table = scan.getTable().unwrapOrThrow(SkepTable.class);
        if (table.table().isInsertOnly()) {
            return table.sampled(new TableSample.Writes(seen.highest(), seen.missing(), added))
                    .scan(scan.getCluster());
        }
        HiveRexBuilder rex = rex(scan);
        int stored = SkepTable.storedColumns(table.table()).size();
        RexNode rowId = rex.makeInputRef(scan, stored + VirtualColumn.ROW_ID.ordinal());
        RexNode isAdded = isAdded(rex.field(rowId, "writeid", PrimitiveType.BIGINT), seen, rex);
        return LogicalFilter.create(scan, added ? isAdded : rex.makeCall(SqlStdOperatorTable.NOT, isAdded));
    }

    private static HiveRexBuilder rex(RelNode node) {
        return (HiveRexBuilder) node.getCluster().getRexBuilder();
    }

    /** The first condition lets the files of earlier write ids be left out. */
    private static RexNode isAdded(RexNode writeId, SeenWriteIds seen, HiveRexBuilder rex) {
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
