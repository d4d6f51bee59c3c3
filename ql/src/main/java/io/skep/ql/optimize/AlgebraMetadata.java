package io.skep.ql.optimize;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.ChainedRelMetadataProvider;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;
import org.apache.calcite.rel.metadata.ReflectiveRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * The optimizer's metadata about algebra: Calcite's metadata, with row counts from statistics. One instance serves all
 * queries, because Calcite compiles a dispatcher for each provider that it has not seen.
 */
public final class AlgebraMetadata {
    private final RelMetadataProvider provider;
    private final CompiledHandlers handlers;
    private final Estimates estimates;
    private final Selectivities selectivities;
    private final MatchingValues matching;

    public AlgebraMetadata(TableStatistics statistics) {
        this.estimates = new Estimates(statistics);
        this.selectivities = new Selectivities(estimates);
        this.matching = new MatchingValues(estimates, selectivities);
        RowCounts rowCounts = new RowCounts(statistics, estimates, selectivities, matching);
        this.provider = ChainedRelMetadataProvider.of(List.of(
                ReflectiveRelMetadataProvider.reflectiveSource(rowCounts, BuiltInMetadata.RowCount.Handler.class),
                ReflectiveRelMetadataProvider.reflectiveSource(
                        new FilterPredicates(), BuiltInMetadata.Predicates.Handler.class),
                ReflectiveRelMetadataProvider.reflectiveSource(
                        new UnionPredicates(), BuiltInMetadata.Predicates.Handler.class),
                DefaultRelMetadataProvider.INSTANCE));
        this.handlers = new CompiledHandlers(JaninoRelMetadataProvider.of(provider));
    }

    Estimates estimates() {
        return estimates;
    }

    Selectivities selectivities() {
        return selectivities;
    }

    MatchingValues matching() {
        return matching;
    }

    /** Makes a cluster's metadata queries use this provider. */
    void install(RelOptCluster cluster) {
        cluster.setMetadataProvider(provider);
        cluster.setMetadataQuerySupplier(() -> new Query(handlers));
        // The analyzer's requests have already created one of Calcite's own metadata queries.
        cluster.invalidateMetadataQuery();
    }

    /** Returns a metadata query with its own cache, over the current tree. */
    public RelMetadataQuery query(RelOptCluster cluster) {
        cluster.invalidateMetadataQuery();
        return cluster.getMetadataQuery();
    }

    private static final class Query extends RelMetadataQuery {
        private Query(MetadataHandlerProvider provider) {
            super(provider);
        }
    }
}
