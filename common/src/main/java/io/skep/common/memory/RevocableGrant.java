package io.skep.common.memory;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Bytes that their holder can give back: it is asked to when others need them more, and does so at its next step, on its own
 * thread. {@link #hold}, {@link #decline} and {@link #close} are the holder's, one thread at a time.
 */
public final class RevocableGrant implements AutoCloseable {
    private enum State {
        HELD,
        ASKED,
        DECLINED
    }

    private final MemoryPool pool;
    private final MemoryShares shares;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private volatile long bytes;
    private boolean known;

    RevocableGrant(MemoryPool pool, MemoryShares shares) {
        this.pool = pool;
        this.shares = shares;
    }

    /** Says how much is held; after it has been released, if it is less. Less than before answers a request, if there is one. */
    public void hold(long newBytes) {
        boolean less = newBytes < bytes;
        bytes = newBytes;
        if (newBytes > 0 && !known) {
            known = true;
            shares.add(this);
        }
        if (less && state.getAndSet(State.HELD) == State.ASKED) {
            pool.answered();
        }
    }

    /** Whether some of it is wanted back. */
    public boolean asked() {
        return state.get() == State.ASKED;
    }

    /** Says that nothing can be given back for now; not asked again before something has been given back. */
    public void decline() {
        if (state.compareAndSet(State.ASKED, State.DECLINED)) {
            pool.answered();
        }
    }

    /** False when it has been asked before, or has nothing. */
    boolean ask() {
        if (bytes == 0 || !state.compareAndSet(State.HELD, State.ASKED)) {
            return false;
        }
        pool.wake();
        return true;
    }

    boolean canBeAsked() {
        return bytes > 0 && state.get() == State.HELD;
    }

    long bytes() {
        return bytes;
    }

    MemoryPool pool() {
        return pool;
    }

    /** Nothing is held any more. */
    @Override
    public void close() {
        bytes = 0;
        if (known) {
            known = false;
            shares.remove(this);
        }
    }
}
