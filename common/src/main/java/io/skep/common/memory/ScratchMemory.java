package io.skep.common.memory;

import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The account of large arrays that a thread makes before an operator or a reader accounts for them, such as texts of
 * results and buffers of long records. The caller of code that makes such arrays binds an account to the thread. The
 * code counts the arrays here. It is refused when the pool has no room, so the process does not run out of memory.
 * Without a bound account nothing is counted. Owned by one thread at a time.
 */
public final class ScratchMemory implements AutoCloseable {
    /** Shorter arrays are not counted. */
    private static final int LEAST = 64 << 10;

    private static final long STEP = 1 << 20;
    private static final ThreadLocal<@Nullable ScratchMemory> CURRENT = new ThreadLocal<>();

    private final MemoryPool pool;
    private final long freeBytes;
    private @Nullable ScratchMemory outer;
    private long counted;
    private long reserved;

    /** @param freeBytes are not reserved, so that a thread with small arrays never calls the pool */
    public ScratchMemory(MemoryPool pool, long freeBytes) {
        this.pool = pool;
        this.freeBytes = freeBytes;
    }

    /**
     * Returns a copy with another length. The old array must not be used any more.
     *
     * @throws io.skep.common.error.SkepException (MEMORY_LIMIT_EXCEEDED) when there is no room for it in addition to
     *     the old one
     */
    public static byte[] copyOf(byte[] data, int length) {
        count(length);
        byte[] copy = Arrays.copyOf(data, length);
        discount(data.length);
        return copy;
    }

    /**
     * Counts an array before it is made.
     *
     * @throws io.skep.common.error.SkepException (MEMORY_LIMIT_EXCEEDED) when there is no room for it
     */
    public static void count(long bytes) {
        ScratchMemory current = bytes < LEAST ? null : CURRENT.get();
        if (current != null) {
            current.set(current.counted + bytes);
        }
    }

    /** Whether an array of that size is counted by itself. */
    public static boolean isCounted(long bytes) {
        return bytes >= LEAST;
    }

    /** Subtracts an array that is not in use any more. */
    public static void discount(long bytes) {
        ScratchMemory current = bytes < LEAST ? null : CURRENT.get();
        if (current != null) {
            current.set(Math.max(0, current.counted - bytes));
        }
    }

    /** Binds the account to this thread until {@link #leave}. */
    public void enter() {
        outer = CURRENT.get();
        CURRENT.set(this);
    }

    /** Runs some work with the account bound to this thread. */
    public <T> T within(Supplier<T> work) {
        enter();
        try {
            return work.get();
        } finally {
            leave();
        }
    }

    /** Runs some work with the account bound to this thread. */
    public void run(Runnable work) {
        boolean _ = within(() -> {
            work.run();
            return true;
        });
    }

    /** Unbinds the account. The counted bytes stay reserved. */
    public void leave() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
            outer = null;
        }
    }

    /**
     * Releases what is not in use any more.
     *
     * @param used bytes of the arrays that are still held; called only if much was counted
     */
    public void settle(LongSupplier used) {
        if (counted > 0) {
            set(counted <= freeBytes ? 0 : Math.min(counted, used.getAsLong()));
        }
    }

    /**
     * Releases what is not in use any more, of bytes that need no reservation too.
     *
     * @param used bytes of the arrays that are still held
     */
    public void settle(long used) {
        set(Math.min(counted, used));
    }

    private void set(long bytes) {
        long wanted = bytes <= freeBytes ? 0 : (bytes - freeBytes + STEP - 1) / STEP * STEP;
        if (wanted > reserved) {
            pool.reserve(wanted - reserved);
        } else if (wanted < reserved) {
            pool.release(reserved - wanted);
        }
        reserved = wanted;
        counted = bytes;
    }

    /** Releases everything. */
    @Override
    public void close() {
        set(0);
    }
}
