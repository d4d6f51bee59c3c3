package io.skep.common.memory;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Bytes that their holder can release. When others need them more, the holder is asked for them, and releases them at
 * its next step on its own thread. {@link #hold}, {@link #decline} and {@link #close} are called by the holder, by one
 * thread at a time.
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

    /**
     * Sets how many bytes are held. A smaller number is set after the bytes have been released. It answers a pending
     * request.
     */
    public void hold(long newBytes) {
        boolean less = newBytes < bytes;
        bytes = newBytes;
        if (newBytes > 0 && !known) {
            known = true;
            shares.add(this);
        }
        if (less && state.getAndSet(State.HELD) == State.ASKED) {
            pool.revocationAnswered();
        }
    }

    /** Whether some of the bytes are asked for. */
    public boolean isRevocationRequested() {
        return state.get() == State.ASKED;
    }

    /**
     * Declines a request, because nothing can be released at present. The grant is not asked again until some bytes
     * have been released.
     */
    public void decline() {
        if (state.compareAndSet(State.ASKED, State.DECLINED)) {
            pool.revocationAnswered();
        }
    }

    /** Asks the holder for the bytes. Returns false when it has been asked before, or holds nothing. */
    boolean requestRevocation() {
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

    /** Ends the grant. Nothing is held any more. */
    @Override
    public void close() {
        bytes = 0;
        if (known) {
            known = false;
            shares.remove(this);
        }
    }
}
