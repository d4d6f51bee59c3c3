package io.skep.llap.server.external;

import io.grpc.Context;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Threads for calls that Flight's library continues on other threads than those on which they have begun. There, too,
 * the call's context has its client.
 */
final class CallThreads extends AbstractExecutorService {
    private final ExecutorService threads;

    /** @param threads stay the caller's, who ends them */
    CallThreads(ExecutorService threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(Context.current().wrap(work));
    }

    @Override
    public void shutdown() {
        threads.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return threads.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return threads.isTerminated();
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(time, unit);
    }
}
