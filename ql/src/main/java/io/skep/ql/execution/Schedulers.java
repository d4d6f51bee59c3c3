package io.skep.ql.execution;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.ql.execution.RetryPolicy.Scheduler;

/** Who runs the attempts of queries. They run what they are given once: what follows a failure is {@link QueryRun}'s business. */
public interface Schedulers {
    /**
     * Who is to run a query first.
     *
     * @param mayUseTez whether the settings let the server choose Tez
     */
    record Choice(Scheduler scheduler, boolean mayUseTez) {}

    /** @throws SkepException INVALID_CONFIGURATION */
    Choice choose(StageGraphRun run);

    StageGraphRunner runner(Scheduler scheduler);

    /** Is told why an attempt has failed, before the next one starts. */
    void failed(SkepException failure);

    /** One that runs everything. */
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
