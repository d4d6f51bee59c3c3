package io.skep.llap.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.TaskLayout;
import java.util.HashMap;
import java.util.Map;

/** A plan, and what the exchange has to know of its fragments. Immutable. */
final class PlanFacts {
    private final StageGraph graph;
    private final Map<Integer, Fragment> fragments = new HashMap<>();
    private final Map<Integer, Integer> consumers = new HashMap<>();

    PlanFacts(StageGraph graph) {
        this.graph = graph;
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
