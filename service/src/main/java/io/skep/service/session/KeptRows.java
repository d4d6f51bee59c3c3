package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what the rows of commands (SET, SHOW, DESCRIBE, EXPLAIN, calls for metadata) take in all operations that are
 * open, since these have all their rows from the end of their run on. Thread-safe.
 */
final class KeptRows {
    /** Rows may take this part of the heap. */
    private static final long HEAP_SHARE = 16;

    /** Each operation may have so much beside the others: short answers are never refused. */
    private static final long FREE = 16 << 10;

    private final long limit;
    private final AtomicLong kept = new AtomicLong();

    KeptRows() {
        this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param limit bytes of all operations together */
    KeptRows(long limit) {
        this.limit = limit;
    }

    /** Bytes that are accounted for. */
    long kept() {
        return kept.get();
    }

    /** What one operation keeps. */
    final class Share {
        private long charged;
        private boolean released;

        /**
         * Accounts for rows that lie ready. Without effect after the release.
         *
         * @throws SkepException MEMORY_LIMIT_EXCEEDED when there is no room for them
         */
        synchronized void charge(long bytes) {
            long counted = bytes - FREE;
            if (counted <= 0 || released) {
                return;
            }
            if (kept.addAndGet(counted) > limit) {
                kept.addAndGet(-counted);
                throw new SkepException(
                                StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                                "the statement's rows take " + bytes + " bytes, and those of open commands may take "
                                        + limit + " together")
                        .withHint("close operations that have been read, or ask for fewer rows at a time");
            }
            charged += counted;
        }

        synchronized void release() {
            released = true;
            kept.addAndGet(-charged);
            charged = 0;
        }
    }

    Share share() {
        return new Share();
    }
}
