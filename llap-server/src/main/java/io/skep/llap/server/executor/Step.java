package io.skep.llap.server.executor;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Work that is done in slices. Only one thread at a time runs it. */
public interface Step {
    /**
     * Runs for about the given time, or less when there is nothing to do. Reports its own failures and throws nothing.
     *
     * @return completes when the step should run again; null when it has nothing more to do
     */
    @Nullable
    CompletableFuture<?> run(long quantumNanos);

    /**
     * Interrupts the thread that runs this step if the result is no longer needed. The interrupt never reaches code
     * after the step's own. May be called from any thread.
     *
     * @return whether it was interrupted
     */
    default boolean interruptIfUnwanted(Thread executor) {
        return false;
    }

    /**
     * Gives up the thread that runs this step, after {@link #interruptIfUnwanted} had no effect. From then on, nothing
     * that the thread does may change state that others see. May be called from any thread, and may take long.
     */
    default void writeOff(Thread executor) {}

    /** What the step is for, for the log. */
    default String purpose() {
        return "a step";
    }
}
