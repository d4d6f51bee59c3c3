package io.skep.llap.client.rpc;

import io.skep.common.error.SkepException;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.wire.DaemonFrame;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Calls that a daemon has not answered yet, by number. Thread-safe. */
final class PendingCalls {
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, CompletableFuture<TaskStats>> tasks = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<@Nullable Void>> others = new ConcurrentHashMap<>();
    private volatile @Nullable SkepException over;

    long task(CompletableFuture<TaskStats> result) {
        long number = numbers.incrementAndGet();
        tasks.put(number, result);
        SkepException reason = over;
        if (reason != null) {
            end(reason);
        }
        return number;
    }

    long other(CompletableFuture<@Nullable Void> done) {
        long number = numbers.incrementAndGet();
        others.put(number, done);
        SkepException reason = over;
        if (reason != null) {
            end(reason);
        }
        return number;
    }

    void answer(DaemonFrame frame) {
        switch (frame) {
            case DaemonFrame.Finished(long call, TaskStats stats) -> {
                CompletableFuture<TaskStats> task = tasks.remove(call);
                if (task != null) {
                    task.complete(stats);
                }
            }
            case DaemonFrame.Failed(long call, SkepException failure) -> {
                CompletableFuture<TaskStats> task = tasks.remove(call);
                if (task != null) {
                    task.completeExceptionally(failure);
                }
            }
            case DaemonFrame.Done(long call) -> {
                CompletableFuture<@Nullable Void> done = others.remove(call);
                if (done != null) {
                    done.complete(null);
                }
            }
            case DaemonFrame.Status _, DaemonFrame.Leaving _, DaemonFrame.Want _ -> {
                // These frames answer no call.
            }
        }
    }

    /**
     * Completes all current and future calls, since no answers will come. Tasks fail with the reason. Cancellations and
     * other calls complete normally.
     */
    void end(SkepException reason) {
        over = reason;
        for (Long number : List.copyOf(tasks.keySet())) {
            CompletableFuture<TaskStats> task = tasks.remove(number);
            if (task != null) {
                task.completeExceptionally(reason);
            }
        }
        for (Long number : List.copyOf(others.keySet())) {
            CompletableFuture<@Nullable Void> done = others.remove(number);
            if (done != null) {
                done.complete(null);
            }
        }
    }
}
