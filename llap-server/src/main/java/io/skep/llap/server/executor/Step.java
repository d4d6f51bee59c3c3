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

    /**
     * Interrupts the thread that runs this step if nobody needs the result any more. The interrupt never reaches code after the
     * step's own. From any thread.
     *
     * @return whether it was interrupted
     */
    default boolean interruptIfUnwanted(Thread executor) {
        return false;
    }

    /**
     * Gives up the thread that runs this step, after {@link #interruptIfUnwanted} has been in vain. What that thread does from
     * now on must change nothing that others see. From any thread; may take a while.
     */
    default void writeOff(Thread executor) {}

    /** What the step works for, for the log. */
    default String purpose() {
        return "a step";
    }
}
