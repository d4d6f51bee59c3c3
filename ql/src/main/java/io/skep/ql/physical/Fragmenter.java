package io.skep.ql.physical;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import java.util.ArrayList;
import java.util.List;

/** Divides a plan into fragments. Each exchange closes the fragment below it. Owned by the planning of one query. */
final class Fragmenter {
    private final EstimatedRows.Collector estimates;
    private final List<Fragment> fragments = new ArrayList<>();
    private int nextScan;

    Fragmenter(EstimatedRows.Collector estimates) {
        this.estimates = estimates;
    }

    int nextScanId() {
        return nextScan++;
    }

    /** Sends all rows to a single task. The result is in the given order if each producing task's rows are. */
    Planned gather(Planned input, List<SortKey> order) {
        if (input.isSingle()) {
            return input;
        }
        int fragment = close(input, new Fragment.Output.Gather());
        PlanNode source = new PlanNode.RemoteSource(List.of(fragment), input.types(), order);
        return new Planned(source, new Layout.Single(), input.rows());
    }

    Planned hash(Planned input, List<Integer> columns) {
        int fragment = close(input, new Fragment.Output.Hash(columns));
        PlanNode source = new PlanNode.RemoteSource(List.of(fragment), input.types(), List.of());
        return new Planned(source, new Layout.Hashed(columns), input.rows());
    }

    /** Sends every row to every task of the fragment that reads it. */
    PlanNode broadcast(Planned input) {
        int fragment = close(input, new Fragment.Output.Broadcast());
        return new PlanNode.RemoteSource(List.of(fragment), input.types(), List.of());
    }

    /** Distributes the rows of several parts evenly. */
    Planned spread(List<Planned> inputs) {
        List<Integer> ids = new ArrayList<>();
        double rows = 0;
        for (Planned input : inputs) {
            ids.add(close(input, new Fragment.Output.RoundRobin()));
            rows += input.rows();
        }
        PlanNode source = new PlanNode.RemoteSource(ids, inputs.getFirst().types(), List.of());
        return new Planned(source, new Layout.Hashed(List.of()), rows);
    }

    /** Closes the root fragment. */
    List<Fragment> finish(Planned root) {
        Planned single = gather(root, List.of());
        close(single, new Fragment.Output.Gather());
        return List.copyOf(fragments);
    }

    private int close(Planned input, Fragment.Output output) {
        int id = fragments.size();
        estimates.add(input);
        fragments.add(new Fragment(id, input.node(), input.layout().distribution(), output));
        return id;
    }
}
