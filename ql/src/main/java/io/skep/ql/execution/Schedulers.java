package io.skep.ql.execution;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.ql.execution.RetryPolicy.Scheduler;

/** The schedulers that run the attempts of queries. They run each attempt once; {@link QueryRun} handles failures. */
public interface Schedulers {
    /**
     * The scheduler for the first attempt of a query.
     *
     * @param mayUseTez whether the settings let the server choose Tez
     */
    record Choice(Scheduler scheduler, boolean mayUseTez) {}

    /** @throws SkepException INVALID_CONFIGURATION */
    Choice choose(StageGraphRun run);

    StageGraphRunner runner(Scheduler scheduler);

    /** Called with the failure of an attempt, before the next one starts. */
    void failed(SkepException failure);

    /** Returns schedulers that run every attempt with the same runner. */
    static Schedulers only(StageGraphRunner runner) {
        return new Schedulers() {
            @Override
            public Choice choose(StageGraphRun run) {
                return new Choice(Scheduler.DIRECT, false);
            }

            @Override
            public StageGraphRunner runner(Scheduler scheduler) {
                return runner;
            }

            @Override
            public void failed(SkepException failure) {}
        };
    }
}
