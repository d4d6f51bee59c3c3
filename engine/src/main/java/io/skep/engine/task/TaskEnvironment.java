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
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The resources that a task gets from its process.
 *
 * @param task number within its fragment, from 0; part of the names of files it writes
 * @param attempt number of the attempt, from 0; part of the names of files it writes
 * @param functions the query's functions in this process, shared by its tasks
 * @param inputs by producing fragment: this task's partition of the output of each of the fragment's tasks; the task
 *     closes them
 * @param splits by scan id
 * @param memory the task's account; its creator closes it after the task
 * @param spill the task's temporary files; their creator closes them after the task
 * @param settings the session's effective settings
 * @param zone the session's time zone
 * @param reported columns of the output whose values the task reports when it has finished
 * @param drivers number of threads that may work on the task at once, and of drivers in its pipelines
 * @param cancelled true as soon as the task is not needed any more
 * @param files finds a file that the plan names on this machine, by its URI
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
        BooleanSupplier cancelled,
        Function<String, Path> files) {
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
