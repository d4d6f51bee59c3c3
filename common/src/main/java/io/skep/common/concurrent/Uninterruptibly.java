package io.skep.common.concurrent;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Waits to the end, even when interrupted, because the awaited work holds memory or files that must not be released
 * earlier. The thread's interrupt is set again afterwards.
 */
public final class Uninterruptibly {
    private Uninterruptibly() {}

    private interface Wait<T extends @Nullable Object> {
        T once() throws InterruptedException, ExecutionException;
    }

    /** Waits until the thread has ended. Returns at once when it was never started. */
    public static void join(Thread thread) {
        try {
            await(() -> {
                thread.join();
                return true;
            });
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** @throws ExecutionException with the failure of the computation */
    public static <T extends @Nullable Object> T get(Future<T> future) throws ExecutionException {
        return await(future::get);
    }

    private static <T extends @Nullable Object> T await(Wait<T> wait) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.once();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
