package io.skep.bench.simulation;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputLocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Tracks which outputs of queries are finished, and which tasks wait for them. */
final class SimulatedExchange {
    /** The inputs that one task waits for. */
    private static final class Waiter {
        final List<List<OutputLocation>> inputs;
        final Runnable ready;
        final Consumer<SkepException> broken;
        boolean over;

        Waiter(List<List<OutputLocation>> inputs, Runnable ready, Consumer<SkepException> broken) {
            this.inputs = inputs;
            this.ready = ready;
            this.broken = broken;
        }

        void fail(SkepException reason) {
            if (!over) {
                over = true;
                broken.accept(reason);
            }
        }

        boolean readsFrom(DaemonIdentity daemon) {
            return inputs.stream()
                    .flatMap(List::stream)
                    .anyMatch(input -> input.daemon().equals(daemon));
        }
    }

    private static final class Query {
        final Map<Integer, Integer> finished = new HashMap<>();
        final List<Waiter> waiters = new ArrayList<>();
    }

    private final Map<QueryId, Query> queries = new HashMap<>();
    private final Set<QueryId> ended = new HashSet<>();
    private final Set<DaemonIdentity> gone = new HashSet<>();

    private Query query(QueryId id) {
        return queries.computeIfAbsent(id, ignored -> new Query());
    }

    /**
     * Waits until all producers have finished.
     *
     * @param broken called when the query ends first, or when a daemon with some of the inputs is lost
     */
    void await(QueryId id, List<List<OutputLocation>> inputs, Runnable ready, Consumer<SkepException> broken) {
        Waiter waiter = new Waiter(inputs, ready, broken);
        if (ended.contains(id)) {
            waiter.fail(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query has ended"));
            return;
        }
        if (gone.stream().anyMatch(waiter::readsFrom)) {
            waiter.fail(inputLost());
            return;
        }
        Query query = query(id);
        query.waiters.add(waiter);
        wake(query, waiter);
    }

    private static SkepException inputLost() {
        return new SkepException(StandardErrorCode.DAEMON_LOST, "an input was lost with its daemon");
    }

    void finished(QueryId id, int fragment) {
        if (ended.contains(id)) {
            return;
        }
        Query query = query(id);
        query.finished.merge(fragment, 1, Integer::sum);
        for (Waiter waiter : List.copyOf(query.waiters)) {
            wake(query, waiter);
        }
    }

    private static void wake(Query query, Waiter waiter) {
        boolean all = waiter.inputs.stream()
                .allMatch(input -> input.isEmpty()
                        || query.finished.getOrDefault(input.getFirst().output().fragment(), 0) >= input.size());
        if (all && !waiter.over) {
            waiter.over = true;
            query.waiters.remove(waiter);
            waiter.ready.run();
        }
    }

    void lost(DaemonIdentity daemon) {
        gone.add(daemon);
        for (Query query : List.copyOf(queries.values())) {
            for (Waiter waiter : List.copyOf(query.waiters)) {
                if (waiter.readsFrom(daemon)) {
                    query.waiters.remove(waiter);
                    waiter.fail(inputLost());
                }
            }
        }
    }

    void end(QueryId id, SkepException reason) {
        ended.add(id);
        Query query = queries.remove(id);
        if (query != null) {
            List.copyOf(query.waiters).forEach(waiter -> waiter.fail(reason));
        }
    }
}
