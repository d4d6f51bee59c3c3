package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.tools.RelBuilder;

/**
 * Orders inner joins by cost, and adds conditions on their inputs that follow from other conditions. Outer, semi and
 * anti joins stay in place; each of their inputs is ordered separately.
 */
final class JoinOrder {
    private static final int MAX_FACTORS = 60;

    private final AlgebraMetadata algebra;
    private final RelMetadataQuery metadata;
    private final PredicateInference inference;
    private final RelBuilder builder;
    private final UnaryOperator<RelNode> pushDown;

    /** @param pushDown moves conditions to the lowest place where they can be checked */
    JoinOrder(AlgebraMetadata algebra, RelMetadataQuery metadata, RelBuilder builder, UnaryOperator<RelNode> pushDown) {
        this.algebra = algebra;
        this.metadata = metadata;
        this.inference = new PredicateInference(algebra.selectivities(), metadata, builder.getRexBuilder());
        this.builder = builder;
        this.pushDown = pushDown;
    }

    RelNode order(RelNode root) {
        if (!JoinGraph.isInnerJoin(root)) {
            return withOrderedInputs(root);
        }
        JoinGraph graph = JoinGraph.of(root);
        int count = graph.factors().size();
        if (count > MAX_FACTORS) {
            return withOrderedInputs(root);
        }
        ColumnClasses classes = ColumnClasses.of(graph, builder.getRexBuilder());
        List<List<RexNode>> inferred = inference.ofFactors(graph, classes);
        if (count < 3 && inferred.stream().allMatch(Collection::isEmpty)) {
            return withOrderedInputs(root);
        }
        List<RelNode> factors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            factors.add(order(filtered(graph.factors().get(i), inferred.get(i))));
        }
        JoinEdges edges = new JoinEdges(graph, factors, algebra, metadata);
        JoinCardinality cardinality = edges.cardinality(classes);
        JoinTree cheapest = new JoinSearch(cardinality).cheapest();
        return new JoinRebuild(graph, factors, classes, cardinality, builder).rebuild(root, cheapest);
    }

    private RelNode withOrderedInputs(RelNode rel) {
        List<RelNode> inputs = rel instanceof Join join && !JoinGraph.isInnerJoin(rel) ? sides(join) : rel.getInputs();
        List<RelNode> ordered = inputs.stream().map(this::order).toList();
        return ordered.equals(rel.getInputs()) ? rel : rel.copy(rel.getTraitSet(), ordered);
    }

    private List<RelNode> sides(Join join) {
        PredicateInference.Sides inferred = inference.ofSides(join);
        return List.of(filtered(join.getLeft(), inferred.left()), filtered(join.getRight(), inferred.right()));
    }

    /** Adds the conditions and pushes them down, so that joins below can infer further conditions from them. */
    private RelNode filtered(RelNode rel, List<RexNode> conditions) {
        if (conditions.isEmpty()) {
            return rel;
        }
        RelNode filter = builder.push(rel).filter(conditions).build();
        return hasJoin(filter) ? pushDown.apply(filter) : filter;
    }

    private static boolean hasJoin(RelNode rel) {
        return rel instanceof Join || rel.getInputs().stream().anyMatch(JoinOrder::hasJoin);
    }
}
