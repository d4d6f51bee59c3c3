package io.skep.llap.client.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;

/**
 * The heap budget for large pages from other processes. A page counts from its arrival until its reader is done with
 * its rows. Other pages are bounded by the window of their stream. A page that exceeds the budget fails its stream,
 * unless the budget is unused. Guarded by itself.
 */
final class PageBudget {
    /** The budget is the heap divided by this. */
    private static final int SHARE = 8;

    private static final int LARGE_BYTES = 1 << 20;

    /** A page is in memory twice: as bytes and as rows. */
    private static final long FORMS = 2;

    private final long limit;

    @GuardedBy("this")
    private long reserved;

    PageBudget(long limit) {
        this.limit = limit;
    }

    static PageBudget ofHeap() {
        return new PageBudget(Runtime.getRuntime().maxMemory() / SHARE);
    }

    /** Returns how much of the budget a page uses. */
    static long weight(int pageBytes) {
        return pageBytes <= LARGE_BYTES ? 0 : FORMS * pageBytes;
    }

    synchronized boolean tryReserve(long weight) {
        if (weight > 0 && reserved > 0 && weight > limit - reserved) {
            return false;
        }
        reserved += weight;
        return true;
    }

    synchronized void release(long weight) {
        reserved -= weight;
    }

    synchronized long reserved() {
        return reserved;
    }

    SkepException refused(int pageBytes) {
        return new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        "rows of " + pageBytes + " bytes from a daemon find no room beside others in the " + limit
                                + " bytes that such rows may take of the heap")
                .withHint(
                        "make the values shorter, run fewer such queries at a time, or give the process a larger heap");
    }
}
