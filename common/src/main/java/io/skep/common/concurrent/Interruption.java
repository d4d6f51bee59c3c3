package io.skep.common.concurrent;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.locks.Lock;

/**
 * Stops work whose result is not needed any more. Threads that compile statements and run their tasks are interrupted
 * when these are cancelled. Loops whose length is chosen by clients call this check. The interrupt stays set; the owner
 * of the thread clears it.
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
     * Acquires a lock whose holder may take long.
     *
     * @throws SkepException OPERATION_CANCELED when this thread has been interrupted, or is interrupted while it waits;
     *     the lock is not acquired then
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
