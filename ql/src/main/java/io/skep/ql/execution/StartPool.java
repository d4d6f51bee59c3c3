package io.skep.ql.execution;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that start the further attempts of runs, and list files for them. They are threads of the operating system: a file system that
 * hangs holds the thread that asks it, and all virtual threads of a server share as many carriers as there are processors. When all
 * threads are taken, starts wait in a queue.
 */
final class StartPool implements Executor {
    private static final int MAX_THREADS = 256;

    private static final int IDLE_SECONDS = 30;

    private final Handoff waiting = new Handoff();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            waiting,
            Thread.ofPlatform().daemon().name("query-start-", 0).factory(),
            (start, _) -> waiting.keep(start));

    /** Refuses what no thread waits for, so that the pool makes another thread, until there are as many as may be. */
    private static final class Handoff extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable start) {
            return tryTransfer(start);
        }

        void keep(Runnable start) {
            super.offer(start);
        }
    }

    @Override
    public void execute(Runnable start) {
        threads.execute(start);
    }
}
