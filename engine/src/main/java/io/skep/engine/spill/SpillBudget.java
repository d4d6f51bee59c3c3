package io.skep.engine.spill;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of disk that spill files may take together. Thread-safe.
 *
 * @param whose for the error when they are used up
 * @param setting that gives the limit
 */
public record SpillBudget(String whose, long maxBytes, String setting, AtomicLong used) {
    public SpillBudget(String whose, long maxBytes, String setting) {
        this(whose, maxBytes, setting, new AtomicLong());
    }

    boolean tryTake(long bytes) {
        long now = used.get();
        while (bytes <= maxBytes - now) {
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = used.get();
        }
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    public long usedBytes() {
        return used.get();
    }
}
