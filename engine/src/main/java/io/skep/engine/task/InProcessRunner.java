package io.skep.engine.task;

import io.skep.common.memory.MemoryPool;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.write.PageSinkFactory;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Runs stage graphs within this process: tasks on an executor, with pages between them in memory. Used for tests of
 * plans and operators, and for tools. It has no placement, no cache and no fair sharing.
 */
public final class InProcessRunner implements StageGraphRunner {
    /**
     * The distribution of tasks.
     *
     * @param sourceTasks number of tasks of a fragment with distribution SOURCE
     * @param hashTasks number of tasks of a fragment with distribution HASH
     * @param drivers number of threads that may work on a task at once
     */
    public record Layout(int sourceTasks, int hashTasks, int drivers) {
        public static final Layout SMALL = new Layout(1, 2, 2);
    }

    private final PageSourceFactory sources;
    private final PageSinkFactory sinks;
    private final Function<StageGraphRun, FunctionRegistry> functions;
    private final Executor executor;
    private final MemoryPool memory;
    private final Path spillFolder;
    private final Layout layout;

    /** @param functions returns the function registry of a run */
    public InProcessRunner(
            PageSourceFactory sources,
            PageSinkFactory sinks,
            Function<StageGraphRun, FunctionRegistry> functions,
            Executor executor,
            MemoryPool memory,
            Path spillFolder,
            Layout layout) {
        this.sources = sources;
        this.sinks = sinks;
        this.functions = functions;
        this.executor = executor;
        this.memory = memory;
        this.spillFolder = spillFolder;
        this.layout = layout;
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        InProcessExecution execution = new InProcessExecution(
                run, layout, executor, memory.query(run.queryId().value(), Long.MAX_VALUE, 0), spillFolder);
        execution.start(sources, sinks, functions.apply(run));
        return execution;
    }
}
