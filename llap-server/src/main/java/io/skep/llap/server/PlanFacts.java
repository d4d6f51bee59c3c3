package io.skep.llap.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.SwappedJoins;
import io.skep.engine.schedule.TaskLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A plan, where its files are, and what the exchange has to know of its fragments. Immutable. */
final class PlanFacts {
    private final StageGraph graph;
    private final Map<String, CompletableFuture<Path>> files;
    private final Map<Integer, Fragment> fragments = new HashMap<>();
    private final Map<Integer, Integer> consumers = new HashMap<>();

    /** @param files where files that it names are, once they are here; others are where it says */
    PlanFacts(StageGraph graph, Map<String, CompletableFuture<Path>> files) {
        this.graph = graph;
        this.files = Map.copyOf(files);
        for (Fragment fragment : graph.fragments()) {
            fragments.put(fragment.id(), fragment);
        }
        for (Fragment fragment : graph.fragments()) {
            TaskLayout.producers(fragment.root()).forEach(producer -> consumers.merge(producer, 1, Integer::sum));
        }
    }

    StageGraph graph() {
        return graph;
    }

    /** Done when all files are here, or one of them does not come. */
    CompletableFuture<?> ready() {
        return CompletableFuture.allOf(files.values().toArray(CompletableFuture<?>[]::new));
    }

    /** The plan's files, where they are; to be asked for when they are {@link #ready}, and fails when one has not come. */
    List<String> resources() {
        return graph.resources().stream().map(this::local).toList();
    }

    private String local(String resource) {
        CompletableFuture<Path> file = files.get(resource);
        return file == null ? resource : file.join().toUri().toString();
    }

    /** The plan with joins of a fragment mirrored, see {@link SwappedJoins}. */
    StageGraph mirrored(int id, Set<Integer> joins) {
        if (joins.isEmpty()) {
            return graph;
        }
        List<Fragment> changed = graph.fragments().stream()
                .map(fragment -> fragment.id() != id
                        ? fragment
                        : new Fragment(
                                id,
                                SwappedJoins.in(fragment.root(), joins),
                                fragment.distribution(),
                                fragment.output()))
                .toList();
        return new StageGraph(
                changed, graph.columnNames(), graph.columnTypes(), graph.resources(), graph.estimatedRows());
    }

    Fragment fragment(int id) {
        Fragment fragment = fragments.get(id);
        if (fragment == null) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "the plan has no fragment " + id);
        }
        return fragment;
    }

    /** Fragments that read the fragment's output; 1, the client, for the root. */
    int consumers(int fragment) {
        return consumers.getOrDefault(fragment, 1);
    }

    boolean isRoot(int fragment) {
        return graph.root().id() == fragment;
    }

    boolean isBroadcast(int fragment) {
        return fragment(fragment).output() instanceof Fragment.Output.Broadcast;
    }
}
