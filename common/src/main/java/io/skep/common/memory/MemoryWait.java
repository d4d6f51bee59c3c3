package io.skep.common.memory;

import io.skep.common.error.SkepException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A request for bytes, which are reserved as soon as others have released theirs. Thread-safe. */
public final class MemoryWait {
    private final MemoryPool pool;
    private final long bytes;
    private final Duration longest;
    private final CompletableFuture<@Nullable Void> isGranted = new CompletableFuture<>();

    MemoryWait(MemoryPool pool, long bytes, Duration longest) {
        this.pool = pool;
        this.bytes = bytes;
        this.longest = longest;
        var _ = isGranted.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    MemoryPool pool() {
        return pool;
    }

    public long bytes() {
        return bytes;
    }

    /** Completes when the bytes are reserved, cannot be reserved, or are not needed any more. */
    public CompletableFuture<?> done() {
        return isGranted;
    }

    /**
     * Whether the bytes are reserved.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when they cannot be reserved
     */
    public boolean isGranted() {
        try {
            return isGranted.isDone() && isGranted.join() == null;
        } catch (CompletionException | CancellationException e) {
            throw e.getCause() instanceof SkepException failure
                    ? failure
                    : pool.exceeded(bytes, "has waited for " + longest.toSeconds() + " s for");
        }
    }

    /**
     * Withdraws the request. Returns true if the bytes had been reserved already, so that the caller must release them.
     */
    public boolean withdraw() {
        return !isGranted.cancel(false) && !isGranted.isCompletedExceptionally();
    }

    /** Grants the request. Returns false when it has ended already and the bytes are not needed any more. */
    boolean grant() {
        return isGranted.complete(null);
    }

    void fail() {
        isGranted.completeExceptionally(pool.exceeded(bytes, "waits, like all others, for"));
    }
}
