package io.skep.engine.task;

import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.exchange.TaskOutput;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.operator.scan.SplitQueue;
import io.skep.engine.spill.SpillSpace;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.write.PageSinkFactory;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What a task gets from the process that it runs in.
 *
 * @param task number within its fragment, from 0; part of the names of files it writes
 * @param attempt number of the attempt, from 0; part of the names of files it writes
 * @param functions the query's functions in this process, shared by its tasks
 * @param inputs by producing fragment: this task's partition of the output of each of its tasks; the task closes them
 * @param splits by scan id
 * @param memory the task's account; whoever made it closes it after the task
 * @param spill the task's temporary files; whoever made it closes it after the task
 * @param settings the session's effective settings
 * @param zone the session's time zone
 * @param reported columns of the output whose values the task tells when it has finished
 * @param drivers how many threads may work on the task at once; pipelines are made for so many
 * @param cancelled true from the moment at which the task is of no more use
 */
public record TaskEnvironment(
        QueryId query,
        int task,
        int attempt,
        PageSourceFactory sources,
        PageSinkFactory sinks,
        FunctionRegistry functions,
        Map<Integer, List<PageInput>> inputs,
        TaskOutput output,
        Map<Integer, SplitQueue> splits,
        MemoryPool memory,
        SpillSpace spill,
        Map<String, String> settings,
        ZoneId zone,
        List<Integer> reported,
        int drivers,
        BooleanSupplier cancelled) {
    public TaskEnvironment {
        inputs = Map.copyOf(inputs);
        splits = Map.copyOf(splits);
        settings = Map.copyOf(settings);
        reported = List.copyOf(reported);
        if (drivers < 1) {
            throw new IllegalArgumentException("a task needs a driver at least");
        }
    }
}
