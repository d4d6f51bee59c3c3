package io.skep.service.wire;

import java.time.Duration;

/**
 * The memory of the server's {@link AnswerBudget} that the result page in one connection's answer uses. Small pages use
 * nothing. Owned by the connection's thread. Other threads call {@link #blocksOthers}.
 */
final class AnswerAccount {
    private static final long FREE_BYTES = 256 << 10;

    /** A page exists in three forms: rows, protocol objects and encoded bytes. */
    private static final int FORMS = 3;

    private final AnswerBudget budget;
    private long reserved;
    private volatile long since;
    private volatile boolean holds;

    AnswerAccount(AnswerBudget budget) {
        this.budget = budget;
    }

    /** Waits for memory for a page whose rows have this number of bytes. */
    void charge(long rowBytes) {
        long bytes = FORMS * rowBytes;
        if (bytes <= FREE_BYTES) {
            return;
        }
        budget.reserve(bytes);
        reserved += bytes;
        since = System.nanoTime();
        holds = true;
    }

    /** Called when the answer was sent or abandoned. */
    void clear() {
        holds = false;
        if (reserved > 0) {
            budget.release(reserved);
            reserved = 0;
        }
    }

    /** Whether this answer has held its memory longer than the limit while others wait. */
    boolean blocksOthers(long now, Duration limit) {
        return holds && budget.isWanted() && now - since > limit.toNanos();
    }
}
