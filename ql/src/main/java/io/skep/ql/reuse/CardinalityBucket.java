package io.skep.ql.reuse;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * The orders of magnitude of the rows that a query with joins is expected to read from each table. Values of another
 * class have their own plan, because the join order and the side that is reduced by the other depend on these sizes.
 * All other decisions that depend on sizes are made for each query anew. Therefore queries without joins have a single
 * class.
 */
record CardinalityBucket(List<Integer> magnitudes) {
    static final CardinalityBucket ANY = new CardinalityBucket(List.of());

    CardinalityBucket {
        magnitudes = List.copyOf(magnitudes);
    }

    /** @param bound algebra with values in place of its parameters */
    static CardinalityBucket of(RelNode bound, RelMetadataQuery metadata) {
        List<Integer> magnitudes = new ArrayList<>();
        collect(bound, metadata, magnitudes);
        return new CardinalityBucket(magnitudes);
    }

    static boolean hasJoins(RelNode rel) {
        return rel instanceof Join || rel.getInputs().stream().anyMatch(CardinalityBucket::hasJoins);
    }

    private static void collect(RelNode rel, RelMetadataQuery metadata, List<Integer> magnitudes) {
        boolean leaf =
                rel instanceof TableScan || rel instanceof Filter filter && filter.getInput() instanceof TableScan;
        if (leaf) {
            Double rows = metadata.getRowCount(rel);
            magnitudes.add(rows == null ? -1 : (int) Math.round(Math.log10(Math.max(1, rows))));
        } else {
            rel.getInputs().forEach(input -> collect(input, metadata, magnitudes));
        }
    }
}
