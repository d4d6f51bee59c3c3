package io.skep.ql.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * A part of a thread's work that other threads may interrupt. The interrupt does not affect the thread's later work.
 * One thread at a time is in the section. An interrupt from another source is preserved. Thread-safe.
 */
public final class InterruptibleSection {
    @GuardedBy("this")
    private @Nullable Thread worker;

    @GuardedBy("this")
    private boolean interrupted;

    /** Begins the section: the calling thread may be interrupted from here on. */
    public synchronized void enter() {
        worker = Thread.currentThread();
    }

    /** Leaves the section. Must be called by the thread that has entered, any number of times. */
    public synchronized void leave() {
        worker = null;
        if (interrupted) {
            interrupted = false;
            Thread.interrupted();
        }
    }

    /** Interrupts the thread that is in the section, if any. */
    public synchronized void interrupt() {
        if (worker != null && !worker.isInterrupted()) {
            interrupted = true;
            worker.interrupt();
        }
    }
}
