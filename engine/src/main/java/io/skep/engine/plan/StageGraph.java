package io.skep.engine.plan;

import io.skep.common.type.SqlType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A compiled query: fragments connected by exchanges, without cycles. The last fragment is the root. Its distribution
 * is SINGLE and its rows go to the client. A fragment's output goes to one consumer, unless it is shared (a common
 * subplan).
 *
 * @param resources jars that user functions need, as URIs
 * @param estimatedRows estimated number of rows that the scans read; decides between direct and Tez
 */
public record StageGraph(
        List<Fragment> fragments,
        List<String> columnNames,
        List<SqlType> columnTypes,
        List<String> resources,
        double estimatedRows) {
    public StageGraph {
        fragments = List.copyOf(fragments);
        columnNames = List.copyOf(columnNames);
        columnTypes = List.copyOf(columnTypes);
        resources = List.copyOf(resources);
    }

    public Fragment root() {
        return fragments.getLast();
    }

    /** Returns what tasks need besides the graph, as URIs: the jars of functions and the files of scripts. */
    public List<String> files() {
        Set<String> files = new LinkedHashSet<>(resources);
        fragments.forEach(fragment -> fragment.root().walk(node -> {
            if (node instanceof PlanNode.Transform transform) {
                transform.script().files().forEach(file -> files.add(file.uri()));
            }
        }));
        return List.copyOf(files);
    }

    /** Returns the graph with other plans of its fragments, whose rows go the same ways. */
    public StageGraph mapRoots(UnaryOperator<PlanNode> change) {
        List<Fragment> changed = fragments.stream()
                .map(fragment -> new Fragment(
                        fragment.id(), change.apply(fragment.root()), fragment.distribution(), fragment.output()))
                .toList();
        return new StageGraph(changed, columnNames, columnTypes, resources, estimatedRows);
    }
}
