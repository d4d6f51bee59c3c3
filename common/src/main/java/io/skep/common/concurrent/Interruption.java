package io.skep.common.concurrent;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.locks.Lock;

/**
 * Ends work that nobody waits for any more. Threads that compile statements and run their tasks are interrupted when these are
 * cancelled; loops whose length clients choose look here. The interrupt stays: the owner of the thread clears it.
 */
public final class Interruption {
    private Interruption() {}

    /** @throws SkepException OPERATION_CANCELED when this thread has been interrupted */
    public static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw canceled();
        }
    }

    /**
     * Takes a lock whose holder may take long.
     *
     * @throws SkepException OPERATION_CANCELED when this thread has been interrupted, or is while it waits; it does not have the lock
     */
    public static void lock(Lock lock) {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw canceled();
        }
    }

    private static SkepException canceled() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "the work was interrupted");
    }
}
