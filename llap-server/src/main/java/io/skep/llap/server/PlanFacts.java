package io.skep.llap.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.TaskLayout;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A plan, the locations of its files, and the facts about its fragments that the exchange needs. Immutable. */
final class PlanFacts {
    private final StageGraph graph;
    private final Map<String, CompletableFuture<Path>> files;
    private final Map<Integer, Fragment> fragments = new HashMap<>();
    private final Map<Integer, Integer> consumers = new HashMap<>();

    /**
     * @param files the local paths of files that the plan names; each completes when the file has arrived. All other
     *     files are at the location that the plan names.
     */
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

    /** Completes when all files have arrived, or when one of them fails to arrive. */
    CompletableFuture<?> ready() {
        return CompletableFuture.allOf(files.values().toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Returns the locations of the plan's files. Call it only when they are {@link #ready}. It fails when a file has
     * not arrived.
     */
    List<String> resources() {
        return graph.resources().stream().map(this::local).toList();
    }

    private String local(String resource) {
        CompletableFuture<Path> file = files.get(resource);
        return file == null ? resource : file.join().toUri().toString();
    }

    /** Returns where a file of the plan is on this machine. Call it only when the files are {@link #ready}. */
    Path file(String uri) {
        CompletableFuture<Path> file = files.get(uri);
        return file == null ? Path.of(URI.create(uri)) : file.join();
    }

    Fragment fragment(int id) {
        Fragment fragment = fragments.get(id);
        if (fragment == null) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "the plan has no fragment " + id);
        }
        return fragment;
    }

    /** Returns the number of fragments that read the fragment's output. It is 1, the client, for the root. */
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
