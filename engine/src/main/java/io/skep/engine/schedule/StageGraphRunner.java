package io.skep.engine.schedule;

/** Runs stage graphs: directly on daemons, through Tez, or in the thread of a unit test. */
public interface StageGraphRunner {
    /** Starts the query and returns at once. Errors are reported by the execution. */
    StageGraphExecution start(StageGraphRun run);
}
