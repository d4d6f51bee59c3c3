package io.skep.ql.execution;

import org.jspecify.annotations.Nullable;

/**
 * A part of a thread's work that other threads may interrupt; what the thread does next is not interrupted for it. One thread at a time
 * is in it. An interrupt that comes from elsewhere stays. Thread-safe.
 */
public final class InterruptibleSection {
    private @Nullable Thread worker;
    private boolean interrupted;

    /** The calling thread may be interrupted from here on. */
    public synchronized void enter() {
        worker = Thread.currentThread();
    }

    /** To be called by the thread that has entered, any number of times. */
    public synchronized void leave() {
        worker = null;
        if (interrupted) {
            interrupted = false;
            Thread.interrupted();
        }
    }

    /** Interrupts the thread that is in it, if there is one. */
    public synchronized void interrupt() {
        if (worker != null && !worker.isInterrupted()) {
            interrupted = true;
            worker.interrupt();
        }
    }
}
