package io.skep.ql.optimize;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Estimates the number of key values of a join's two sides. The rows of their product are divided by it. */
final class MatchingValues {
    private final Estimates estimates;
    private final Selectivities selectivities;

    MatchingValues(Estimates estimates, Selectivities selectivities) {
        this.estimates = estimates;
        this.selectivities = selectivities;
    }

    /**
     * Returns the larger number of distinct values that remain after the conditions on the keys themselves. The smaller
     * set is assumed to be contained in the larger one (System R). For several keys it is the product, at most the rows
     * of the smaller table. Without statistics it is the rows of the smaller table, assuming that one side's key is
     * unique.
     */
    double of(RelNode left, RelNode right, List<Estimates.KeyPair> keys, RelMetadataQuery metadata) {
        double leftValues = 1;
        double rightValues = 1;
        boolean known = true;
        double leftRows = Estimates.rows(left, metadata);
        double rightRows = Estimates.rows(right, metadata);
        double leftTable = leftRows;
        double rightTable = rightRows;
        for (Estimates.KeyPair key : keys) {
            Optional<Estimates.Origin> leftOrigin = estimates.origin(left, key.left(), metadata);
            Optional<Estimates.Origin> rightOrigin = estimates.origin(right, key.right(), metadata);
            leftTable = Math.max(
                    leftTable, leftOrigin.map(Estimates.Origin::tableRows).orElse(0.0));
            rightTable = Math.max(
                    rightTable, rightOrigin.map(Estimates.Origin::tableRows).orElse(0.0));
            Optional<Double> leftDistinct = leftOrigin.flatMap(Estimates.Origin::distinctValues);
            Optional<Double> rightDistinct = rightOrigin.flatMap(Estimates.Origin::distinctValues);
            known &= leftDistinct.isPresent() && rightDistinct.isPresent();
            leftValues *= leftDistinct
                    .map(values -> kept(values, left, key.left(), metadata))
                    .orElse(leftRows);
            rightValues *= rightDistinct
                    .map(values -> kept(values, right, key.right(), metadata))
                    .orElse(rightRows);
        }
        double smallerTable = Math.min(leftTable, rightTable);
        if (!known) {
            return Math.max(1, smallerTable);
        }
        double values = Math.max(leftValues, rightValues);
        return Math.max(1, keys.size() > 1 ? Math.min(values, smallerTable) : values);
    }

    /** Returns the number of values of a column that remain after the conditions on it. */
    private double kept(double distinct, RelNode rel, int column, RelMetadataQuery metadata) {
        List<RexNode> conditions = ColumnConditions.below(rel, column);
        if (conditions.isEmpty()) {
            return distinct;
        }
        RexNode all = RexUtil.composeConjunction(rel.getCluster().getRexBuilder(), conditions);
        return Math.max(1, distinct * selectivities.of(ColumnConditions.at(all, column), rel, metadata));
    }
}
