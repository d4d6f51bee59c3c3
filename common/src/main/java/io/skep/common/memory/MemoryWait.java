package io.skep.common.memory;

import io.skep.common.error.SkepException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Bytes that were asked for and are taken as soon as others have given theirs back. Thread-safe. */
public final class MemoryWait {
    private final MemoryPool pool;
    private final long bytes;
    private final Duration longest;
    private final CompletableFuture<@Nullable Void> granted = new CompletableFuture<>();

    MemoryWait(MemoryPool pool, long bytes, Duration longest) {
        this.pool = pool;
        this.bytes = bytes;
        this.longest = longest;
        var _ = granted.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    MemoryPool pool() {
        return pool;
    }

    public long bytes() {
        return bytes;
    }

    /** Done when the bytes are reserved, or are not to be had, or are not wanted any more. */
    public CompletableFuture<?> done() {
        return granted;
    }

    /**
     * Whether the bytes are reserved.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when they are not to be had
     */
    public boolean granted() {
        try {
            return granted.isDone() && granted.join() == null;
        } catch (CompletionException | CancellationException e) {
            throw e.getCause() instanceof SkepException failure
                    ? failure
                    : pool.exceeded(bytes, "has waited for " + longest.toSeconds() + " s for");
        }
    }

    /** Gives up; whether the bytes had been reserved already, so that they are to be released. */
    public boolean withdraw() {
        return !granted.cancel(false) && !granted.isCompletedExceptionally();
    }

    /** False when that is over already: the bytes are not wanted any more. */
    boolean grant() {
        return granted.complete(null);
    }

    void fail() {
        granted.completeExceptionally(pool.exceeded(bytes, "waits, like all others, for"));
    }
}
