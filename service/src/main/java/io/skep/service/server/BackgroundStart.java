package io.skep.service.server;

import io.skep.common.concurrent.Uninterruptibly;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * A part of the server that starts in a thread of its own, beside the others. It belongs to this: {@link #close} ends
 * it.
 */
final class BackgroundStart<T extends AutoCloseable> implements AutoCloseable {
    private final FutureTask<T> start;

    private BackgroundStart(FutureTask<T> start) {
        this.start = start;
    }

    static <T extends AutoCloseable> BackgroundStart<T> of(String name, Supplier<T> start) {
        FutureTask<T> task = new FutureTask<>(start::get);
        Thread.ofPlatform().name("start " + name).daemon().start(task);
        return new BackgroundStart<>(task);
    }

    /**
     * Waits for the part, also when interrupted: a start that is left half way holds files.
     *
     * @throws SkepException what the start failed with
     */
    T await() {
        try {
            return Uninterruptibly.get(start);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SkepException known ? known : failure(e);
        }
    }

    private static SkepException failure(Exception failure) {
        return new SkepException(StandardErrorCode.INTERNAL_ERROR, "a part of the server failed: " + failure, failure);
    }

    @Override
    public void close() {
        T part;
        try {
            part = await();
        } catch (SkepException e) {
            // Whoever waited for the part has been told.
            return;
        }
        try {
            part.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw failure(e);
        }
    }
}
