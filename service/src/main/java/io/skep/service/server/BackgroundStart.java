package io.skep.service.server;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * A part of the server that starts on a separate thread, in parallel with other parts. This object owns the part, and
 * {@link #close} closes it.
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
     * Waits for the part, even when interrupted, because an incomplete start holds files.
     *
     * @throws SkepException the failure of the start
     */
    T await() {
        try {
            return Uninterruptibles.getUninterruptibly(start);
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
            // The thread that waited for the part has received the failure.
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
