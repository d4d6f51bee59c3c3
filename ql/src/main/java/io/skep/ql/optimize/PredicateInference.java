package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Infers conditions on the inputs of joins from other conditions. {@code a.k = b.k AND a.k < 10} implies
 * {@code b.k < 10}; {@code (a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)} implies {@code a.x = 1 OR a.x = 3}.
 * Conditions that would reject hardly any row are left out.
 */
final class PredicateInference {
    /** A condition that keeps more than this share of rows is not worth evaluating. */
    private static final double MAX_KEPT = 0.95;

    private final Selectivities selectivities;
    private final RelMetadataQuery metadata;
    private final RexBuilder rexBuilder;

    PredicateInference(Selectivities selectivities, RelMetadataQuery metadata, RexBuilder rexBuilder) {
        this.selectivities = selectivities;
        this.metadata = metadata;
        this.rexBuilder = rexBuilder;
    }

    /** Returns new conditions on each factor of a graph of inner joins, over the factor's own columns. */
    List<List<RexNode>> ofFactors(JoinGraph graph, ColumnClasses classes) {
        List<Set<RexNode>> inferred = new ArrayList<>();
        for (int factor = 0; factor < graph.factors().size(); factor++) {
            int offset = graph.offsets().get(factor);
            Set<RexNode> implied = new LinkedHashSet<>();
            for (RexNode condition : graph.conditions()) {
                ofBranches(condition, 1L << factor, graph)
                        .map(found -> RexUtil.shift(found, -offset))
                        .ifPresent(implied::add);
            }
            inferred.add(implied);
        }
        classes.classes().forEach(equal -> transfer(equal, graph, inferred));
        List<List<RexNode>> useful = new ArrayList<>();
        for (int factor = 0; factor < inferred.size(); factor++) {
            useful.add(useful(inferred.get(factor), graph.factors().get(factor)));
        }
        return useful;
    }

    /** Returns the condition on one factor that every branch of an OR over several factors implies. */
    private Optional<RexNode> ofBranches(RexNode or, long factor, JoinGraph graph) {
        long set = or.getKind() == SqlKind.OR && RexUtil.isDeterministic(or) ? graph.factorsOf(or) : 0;
        if (Long.bitCount(set) < 2 || (set & factor) == 0) {
            return Optional.empty();
        }
        List<RexNode> branches = new ArrayList<>();
        for (RexNode branch : RelOptUtil.disjunctions(or)) {
            List<RexNode> own = RelOptUtil.conjunctions(branch).stream()
                    .filter(conjunct -> graph.factorsOf(conjunct) == factor)
                    .toList();
            if (own.isEmpty()) {
                return Optional.empty();
            }
            branches.add(RexUtil.composeConjunction(rexBuilder, own));
        }
        return Optional.of(RexUtil.composeDisjunction(rexBuilder, branches));
    }

    /** A column of a class, over its own factor, with its known conditions. */
    private record Member(int factor, RexInputRef column, List<RexNode> conditions) {
        /** Returns the conditions on another column with the same values that this column does not have. */
        List<RexNode> missing(Member other) {
            if (!ColumnConditions.sameForms(column, other.column)) {
                return List.of();
            }
            List<String> known = conditions.stream().map(RexNode::toString).toList();
            return other.conditions.stream()
                    .filter(condition -> !known.contains(condition.toString()))
                    .map(condition -> ColumnConditions.at(condition, column.getIndex()))
                    .toList();
        }
    }

    /**
     * Applies the conditions on each column of a class to the other columns. Two columns of the same factor must be
     * equal in it.
     */
    private void transfer(ImmutableBitSet equal, JoinGraph graph, List<Set<RexNode>> inferred) {
        List<Member> members = new ArrayList<>();
        for (int column : equal) {
            Member member = member(column, graph, inferred);
            members.stream()
                    .filter(other -> other.factor() == member.factor())
                    .findFirst()
                    .ifPresent(other -> inferred.get(member.factor())
                            .add(rexBuilder.makeCall(SqlStdOperatorTable.EQUALS, other.column(), member.column())));
            members.add(member);
        }
        for (Member member : members) {
            members.forEach(other -> inferred.get(member.factor()).addAll(member.missing(other)));
        }
    }

    private static Member member(int column, JoinGraph graph, List<Set<RexNode>> inferred) {
        int factor = graph.factorOf(column);
        int own = column - graph.offsets().get(factor);
        RelNode rel = graph.factors().get(factor);
        List<RexNode> conditions = new ArrayList<>(ColumnConditions.below(rel, own));
        inferred.get(factor)
                .forEach(condition -> ColumnConditions.of(condition, own).ifPresent(conditions::add));
        return new Member(factor, RexInputRef.of(own, rel.getRowType()), conditions);
    }

    /** New conditions on the inputs of a join that is not an inner join. */
    record Sides(List<RexNode> left, List<RexNode> right) {}

    /**
     * Infers conditions for the inputs of a join. A side may only drop rows without a match if the join drops them
     * anyway.
     */
    Sides ofSides(Join join) {
        JoinRelType type = join.getJoinType();
        boolean leftMayGo = type == JoinRelType.RIGHT || type == JoinRelType.SEMI;
        boolean rightMayGo = type == JoinRelType.LEFT || type == JoinRelType.SEMI || type == JoinRelType.ANTI;
        int leftColumns = join.getLeft().getRowType().getFieldCount();
        Set<RexNode> left = new LinkedHashSet<>();
        Set<RexNode> right = new LinkedHashSet<>();
        for (Estimates.KeyPair key : ColumnConditions.transferringKeys(join)) {
            Member ofLeft = side(join, join.getLeft(), key.left(), key.left());
            Member ofRight = side(join, join.getRight(), key.right(), leftColumns + key.right());
            left.addAll(leftMayGo ? ofLeft.missing(ofRight) : List.of());
            right.addAll(rightMayGo ? ofRight.missing(ofLeft) : List.of());
        }
        return new Sides(useful(left, join.getLeft()), useful(right, join.getRight()));
    }

    /** @param inJoin the index of the column in the join's condition, which may contain conjuncts on one side only */
    private static Member side(Join join, RelNode rel, int column, int inJoin) {
        List<RexNode> conditions = new ArrayList<>(ColumnConditions.below(rel, column));
        for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
            ColumnConditions.of(conjunct, inJoin).ifPresent(conditions::add);
        }
        return new Member(0, RexInputRef.of(column, rel.getRowType()), conditions);
    }

    private List<RexNode> useful(Set<RexNode> conditions, RelNode rel) {
        return conditions.stream()
                .filter(condition -> ColumnClasses.isColumnEquality(condition)
                        || selectivities.of(condition, rel, metadata) <= MAX_KEPT)
                .toList();
    }
}
