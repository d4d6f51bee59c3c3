package io.skep.ql.reuse;

import io.skep.metastore.Catalog;
import io.skep.ql.ResultSchema;
import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A query's optimized algebra with parameters. Calcite's trees share a cluster with mutable parts, so one thread has it at a
 * time.
 *
 * @param names of its columns as a table has them
 */
public record OpenQuery(
        RelNode algebra, ResultSchema schema, List<String> names, List<WatchedAnalysis.Dependency> dependencies) {
    public OpenQuery {
        names = List.copyOf(names);
        dependencies = List.copyOf(dependencies);
    }

    boolean isUnchanged(Catalog catalog) {
        return dependencies.stream().allMatch(dependency -> dependency.isUnchanged(catalog));
    }

    /** The algebra of the query with these values. */
    public RelNode bound(List<Long> values) {
        return Parameters.bound(algebra, values);
    }
}
