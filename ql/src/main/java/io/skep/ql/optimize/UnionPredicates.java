package io.skep.ql.optimize;

import io.skep.common.concurrent.Interruption;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.RelMdPredicates;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;

/**
 * Derives the predicates that hold for the rows of a union. Calcite's handler builds an OR of the predicates of each
 * branch and compares all its terms with each other. For more than a few branches, only the predicates that all
 * branches share are kept.
 */
public final class UnionPredicates implements MetadataHandler<BuiltInMetadata.Predicates> {
    private static final int MAX_ALTERNATIVES = 16;

    private final RelMdPredicates alternatives = new RelMdPredicates();

    @Override
    public MetadataDef<BuiltInMetadata.Predicates> getDef() {
        return BuiltInMetadata.Predicates.DEF;
    }

    public RelOptPredicateList getPredicates(Union union, RelMetadataQuery metadata) {
        if (union.getInputs().size() <= MAX_ALTERNATIVES) {
            return alternatives.getPredicates(union, metadata);
        }
        Set<RexNode> common = new LinkedHashSet<>(metadata.getPulledUpPredicates(union.getInput(0)).pulledUpPredicates);
        for (RelNode input : union.getInputs()) {
            Interruption.check();
            common.retainAll(Set.copyOf(metadata.getPulledUpPredicates(input).pulledUpPredicates));
            if (common.isEmpty()) {
                return RelOptPredicateList.EMPTY;
            }
        }
        return RelOptPredicateList.of(union.getCluster().getRexBuilder(), common);
    }
}
