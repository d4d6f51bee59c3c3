package io.skep.common.concurrent;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Waits to the end, also when interrupted: what is waited for holds memory or files that nobody may take away before. The
 * thread is interrupted again afterwards.
 */
public final class Uninterruptibly {
    private Uninterruptibly() {}

    private interface Wait<T extends @Nullable Object> {
        T once() throws InterruptedException, ExecutionException;
    }

    /** Until the thread has ended; returns at once when it was never started. */
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

    /** @throws ExecutionException what the computation failed with */
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
