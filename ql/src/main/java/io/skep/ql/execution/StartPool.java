package io.skep.ql.execution;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A pool of threads that start further attempts of runs, and list files for them. They are platform threads: a hanging
 * file system blocks the thread that calls it, and all virtual threads of a server share a number of carriers equal to
 * the number of processors. When all threads are busy, starts wait in a queue.
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

    /** Refuses a task when no thread waits for it, so that the pool adds threads up to its limit. */
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
