package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Finds conditions on single columns. A condition is kept over {@code $0}, regardless of its column, so that it can be
 * applied to another column with the same values.
 */
final class ColumnConditions {
    private static final Set<SqlTypeName> OTHER_FORMS = Set.of(SqlTypeName.FLOAT, SqlTypeName.REAL, SqlTypeName.DOUBLE);

    private ColumnConditions() {}

    /** Returns the conjuncts that hold for a column in all rows of a relation, according to its filters. */
    static List<RexNode> below(RelNode rel, int column) {
        Map<String, RexNode> found = new LinkedHashMap<>();
        collect(rel, column, found);
        return List.copyOf(found.values());
    }

    /** Returns a conjunct over {@code $0} if it restricts a single column and can be applied to another one. */
    static Optional<RexNode> of(RexNode conjunct, int column) {
        boolean tells = conjunct.getKind() != SqlKind.IS_NOT_NULL && !conjunct.isAlwaysTrue();
        return tells
                        && RelOptUtil.InputFinder.bits(conjunct).cardinality() == 1
                        && RelOptUtil.InputFinder.bits(conjunct).get(column)
                        && RexUtil.isDeterministic(conjunct)
                        && !RexUtil.containsCorrelation(conjunct)
                ? Optional.of(at(conjunct, 0))
                : Optional.empty();
    }

    /** Applies a condition on one column to another column. */
    static RexNode at(RexNode condition, int column) {
        return condition.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
                return new RexInputRef(column, ref.getType());
            }
        });
    }

    /**
     * Whether no condition can distinguish equal values of two columns. -0.0 equals 0.0 but prints differently, so
     * doubles do not qualify.
     */
    static boolean sameForms(RexInputRef one, RexInputRef other) {
        return one.getType().equals(other.getType())
                && !OTHER_FORMS.contains(one.getType().getSqlTypeName());
    }

    private static void collect(RelNode rel, int column, Map<String, RexNode> found) {
        switch (rel) {
            case Filter filter -> {
                add(filter.getCondition(), column, found);
                collect(filter.getInput(), column, found);
            }
            case Project project -> {
                if (project.getProjects().get(column) instanceof RexInputRef ref) {
                    collect(project.getInput(), ref.getIndex(), found);
                }
            }
            case Aggregate aggregate -> {
                if (aggregate.getGroupType() == Aggregate.Group.SIMPLE && column < aggregate.getGroupCount()) {
                    collect(aggregate.getInput(), aggregate.getGroupSet().nth(column), found);
                }
            }
            case Sort sort -> collect(sort.getInput(), column, found);
            case Join join -> collectOfJoin(join, column, found);
            default -> {}
        }
    }

    private static void add(RexNode condition, int column, Map<String, RexNode> found) {
        for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
            of(conjunct, column).ifPresent(known -> found.putIfAbsent(known.toString(), known));
        }
    }

    private static void collectOfJoin(Join join, int column, Map<String, RexNode> found) {
        JoinRelType type = join.getJoinType();
        int leftColumns = join.getLeft().getRowType().getFieldCount();
        boolean onLeft = column < leftColumns;
        if (onLeft ? type.generatesNullsOnLeft() : type.generatesNullsOnRight()) {
            return;
        }
        int own = onLeft ? column : column - leftColumns;
        collect(onLeft ? join.getLeft() : join.getRight(), own, found);
        if (type != JoinRelType.INNER && type != JoinRelType.SEMI) {
            return;
        }
        add(join.getCondition(), column, found);
        for (Estimates.KeyPair key : transferringKeys(join)) {
            if (onLeft && key.left() == own) {
                collect(join.getRight(), key.right(), found);
            } else if (!onLeft && key.right() == own) {
                collect(join.getLeft(), key.left(), found);
            }
        }
    }

    /** Returns the keys of a join whose sides have the same type. A condition on one side also applies to the other. */
    static List<Estimates.KeyPair> transferringKeys(Join join) {
        int leftColumns = join.getLeft().getRowType().getFieldCount();
        List<Estimates.KeyPair> keys = new ArrayList<>();
        for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
            Estimates.KeyPair.of(conjunct, Set.of(SqlKind.EQUALS), leftColumns)
                    .filter(key -> sameForms(
                            RexInputRef.of(key.left(), join.getLeft().getRowType()),
                            RexInputRef.of(key.right(), join.getRight().getRowType())))
                    .ifPresent(keys::add);
        }
        return keys;
    }
}
