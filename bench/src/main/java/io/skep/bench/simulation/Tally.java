package io.skep.bench.simulation;

import io.skep.common.query.QueryId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The counters of a simulation, and the guarantees that it violated. */
final class Tally {
    /** The number of ranges that queries requested, with each query counted once. */
    long ranges;

    long submitted;
    long finished;
    long lost;
    long cancelled;
    long failedOtherwise;
    long cacheHits;
    long cacheMisses;
    long throughTez;
    long failedQueries;
    long longestWait;
    final List<Long> latencies = new ArrayList<>();
    private final Map<String, Integer> openEnds = new HashMap<>();
    private final List<String> broken = new ArrayList<>();

    /** Records a violated guarantee, unless it holds. */
    void check(boolean holds, String promise) {
        if (!holds && broken.size() < 20) {
            broken.add(promise);
        }
    }

    /**
     * Counts a run of a query that must end on a daemon (+1), or the daemon's reply that nothing of it is left (-1).
     */
    void end(QueryId run, int change) {
        String query = run.value().split("-", 2)[0];
        openEnds.merge(query, change, Integer::sum);
    }

    int openEnds(String query) {
        return openEnds.getOrDefault(query, 0);
    }

    List<String> broken() {
        return broken;
    }

    long ended() {
        return finished + lost + cancelled + failedOtherwise;
    }
}
