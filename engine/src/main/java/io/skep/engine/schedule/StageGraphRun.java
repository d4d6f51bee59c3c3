package io.skep.engine.schedule;

import io.skep.common.query.QueryId;
import io.skep.engine.plan.StageGraph;
import io.skep.storage.table.Split;
import java.util.List;
import java.util.Map;

/**
 * One run of a stage graph.
 *
 * @param splits the splits of each scan, by its id
 * @param settings the session's effective settings that operators and functions may read (hive.*, skep.*), including
 *     the session's time zone (hive.local.time.zone, a zone id, never LOCAL)
 */
public record StageGraphRun(
        QueryId queryId, StageGraph graph, Map<Integer, List<Split>> splits, Map<String, String> settings) {
    public StageGraphRun {
        splits = Map.copyOf(splits);
        settings = Map.copyOf(settings);
    }
}
