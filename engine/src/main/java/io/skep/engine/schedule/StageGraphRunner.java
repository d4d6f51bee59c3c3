package io.skep.engine.schedule;

/** Runs stage graphs: directly on daemons, through Tez, or within a unit test's own thread. */
public interface StageGraphRunner {
    /** Starts the query and returns at once; errors come from the execution. */
    StageGraphExecution start(StageGraphRun run);
}
