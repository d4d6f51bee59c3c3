package io.skep.common.memory;

import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The account of large arrays that a thread makes before an operator or a reader takes them: texts of results, buffers of long
 * records. Who runs code that makes them binds an account to the thread; who makes them counts them here, and is refused when the
 * pool has no room, instead of taking the process down. Without a bound account nothing is counted. Owned by one thread at a time.
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

    /** @param freeBytes are not reserved, so that who makes little never asks the pool */
    public ScratchMemory(MemoryPool pool, long freeBytes) {
        this.pool = pool;
        this.freeBytes = freeBytes;
    }

    /**
     * A copy with another length, of which the old array is given up.
     *
     * @throws io.skep.common.error.SkepException (MEMORY_LIMIT_EXCEEDED) when there is no room for it beside the old one
     */
    public static byte[] copyOf(byte[] data, int length) {
        count(length);
        byte[] copy = Arrays.copyOf(data, length);
        discount(data.length);
        return copy;
    }

    /**
     * Counts what is about to be made.
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

    /** Takes back what was counted and is not in use any more. */
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

    /** Does something with the account bound to this thread. */
    public <T> T within(Supplier<T> work) {
        enter();
        try {
            return work.get();
        } finally {
            leave();
        }
    }

    /** What was counted stays reserved. */
    public void leave() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
            outer = null;
        }
    }

    /**
     * Gives back what is not in use any more.
     *
     * @param used bytes of what was made that are still held; asked for only if much was counted
     */
    public void settle(LongSupplier used) {
        if (counted > 0) {
            set(counted <= freeBytes ? 0 : Math.min(counted, used.getAsLong()));
        }
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

    /** Gives back everything. */
    @Override
    public void close() {
        set(0);
    }
}
