package io.skep.service.wire;

import java.time.Duration;

/**
 * What the page of a result that one connection is answered with takes of the server's {@link AnswerBudget}. Small
 * pages take nothing. Owned by the connection's thread; others ask {@link #isInTheWay}.
 */
final class AnswerAccount {
    private static final long FREE_BYTES = 256 << 10;

    /** A page is rows, objects of the protocol and encoded bytes. */
    private static final int FORMS = 3;

    private final AnswerBudget budget;
    private long reserved;
    private volatile long since;
    private volatile boolean holds;

    AnswerAccount(AnswerBudget budget) {
        this.budget = budget;
    }

    /** Waits for memory for a page with rows of that many bytes. */
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

    /** The answer has been sent, or given up. */
    void clear() {
        holds = false;
        if (reserved > 0) {
            budget.release(reserved);
            reserved = 0;
        }
    }

    /** Whether others wait, and have had to for some time. */
    boolean isInTheWay(long now, Duration limit) {
        return holds && budget.isWanted() && now - since > limit.toNanos();
    }
}
