package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Plans a semi or anti join whose condition contains subqueries. No rule turns these subqueries into joins below a join
 * that returns the columns of one side only. Therefore the value of each subquery becomes a column of the side that it
 * depends on.
 */
final class SubqueryColumns {
    private final RelFactory factory;
    private final SyntaxNode on;
    private final RelNode left;
    private final RelNode right;
    private final int leftWidth;
    private final List<RexNode> leftValues;
    private final List<RexNode> rightValues;

    SubqueryColumns(RelFactory factory, SyntaxNode on, RelNode left, RelNode right) {
        this.factory = factory;
        this.on = on;
        this.left = left;
        this.right = right;
        this.leftValues = new ArrayList<>(factory.columns(left));
        this.rightValues = new ArrayList<>(factory.columns(right));
        this.leftWidth = leftValues.size();
    }

    static boolean areIn(RexNode condition) {
        return RexUtil.SubQueryFinder.find(condition) != null;
    }

    /** @param both the scope in which the condition was analyzed */
    RelNode join(RexNode condition, Scope both, JoinRelType type) {
        if (!both.correlation().isEmpty()) {
            throw refused("a subquery that names columns of the tables around it");
        }
        List<Integer> places = new ArrayList<>();
        condition.accept(new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitSubQuery(RexSubQuery subquery) {
                places.add(place(subquery));
                return null;
            }
        });
        RexNode overColumns = condition.accept(new Replacement(places.iterator()));
        RelNode joined = LogicalJoin.create(
                project(left, leftValues), project(right, rightValues), List.of(), overColumns, Set.of(), type);
        return Projections.prefix(factory, joined, leftWidth);
    }

    /** Adds a column for a subquery. Returns its index in the left side, or its negated index in the right side. */
    private int place(RexSubQuery subquery) {
        ImmutableBitSet used = RelOptUtil.InputFinder.bits(subquery.operands, null);
        if (used.length() <= leftWidth) {
            leftValues.add(subquery);
            return leftValues.size() - 1;
        }
        if (used.nextSetBit(0) < leftWidth) {
            throw refused("a subquery whose value is compared with columns of both sides");
        }
        rightValues.add(RexUtil.shift(subquery, -leftWidth));
        return -(rightValues.size() - 1);
    }

    private SkepException refused(String what) {
        return SemanticErrors.notSupported(on, what + ", in the condition of a LEFT SEMI or ANTI JOIN,")
                .withHint("write the join as WHERE EXISTS or WHERE NOT EXISTS");
    }

    private static RelNode project(RelNode rel, List<RexNode> values) {
        List<String> names = new ArrayList<>(rel.getRowType().getFieldNames());
        if (names.size() == values.size()) {
            return rel;
        }
        for (int i = names.size(); i < values.size(); i++) {
            names.add("$subquery" + i);
        }
        return LogicalProject.create(rel, List.of(), values, names, Set.of());
    }

    /** Rewrites the condition over the sides with the added columns. */
    private final class Replacement extends RexShuttle {
        private final Iterator<Integer> places;

        Replacement(Iterator<Integer> places) {
            this.places = places;
        }

        @Override
        public RexNode visitInputRef(RexInputRef column) {
            int shift = column.getIndex() < leftWidth ? 0 : leftValues.size() - leftWidth;
            return new RexInputRef(column.getIndex() + shift, column.getType());
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery subquery) {
            int place = places.next();
            return new RexInputRef(place >= 0 ? place : leftValues.size() - place, subquery.getType());
        }
    }
}
