package io.skep.engine.spill;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A limit of the disk bytes that a set of spill files may use together. Thread-safe.
 *
 * @param whose the owner of the budget, for the error when it is used up
 * @param setting the setting that defines the limit
 */
public record SpillBudget(String whose, long maxBytes, String setting, AtomicLong used) {
    public SpillBudget(String whose, long maxBytes, String setting) {
        this(whose, maxBytes, setting, new AtomicLong());
    }

    boolean tryReserve(long bytes) {
        long now = used.get();
        while (bytes <= maxBytes - now) {
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = used.get();
        }
        return false;
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }

    public long usedBytes() {
        return used.get();
    }
}
