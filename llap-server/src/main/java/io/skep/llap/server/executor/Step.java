package io.skep.llap.server.executor;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Work that is done in slices. One thread at a time runs it. */
public interface Step {
    /**
     * Runs for about the given time, less when there is nothing to do. Reports its own failures; throws nothing.
     *
     * @return done when it should be run again; null when it has nothing more to do
     */
    @Nullable
    CompletableFuture<?> run(long quantumNanos);
}
