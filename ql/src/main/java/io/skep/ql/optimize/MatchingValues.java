package io.skep.ql.optimize;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** How many values of their keys two sides of a join have, by which the rows of their product are divided. */
final class MatchingValues {
    private final Estimates estimates;
    private final Selectivities selectivities;

    MatchingValues(Estimates estimates, Selectivities selectivities) {
        this.estimates = estimates;
        this.selectivities = selectivities;
    }

    /**
     * The larger number of distinct values, since the smaller set is taken to be contained in the larger one (System R), as the
     * conditions on the keys themselves leave them. Of several keys the product, at most the rows of the smaller table. Without
     * statistics the rows of the smaller table: one side's key.
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

    /** The values of a column that conditions on it leave. */
    private double kept(double distinct, RelNode rel, int column, RelMetadataQuery metadata) {
        List<RexNode> conditions = ColumnConditions.below(rel, column);
        if (conditions.isEmpty()) {
            return distinct;
        }
        RexNode all = RexUtil.composeConjunction(rel.getCluster().getRexBuilder(), conditions);
        return Math.max(1, distinct * selectivities.of(ColumnConditions.at(all, column), rel, metadata));
    }
}
