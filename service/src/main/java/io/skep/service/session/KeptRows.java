package io.skep.service.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of rows that all open operations keep: those of commands (SET, SHOW, DESCRIBE, EXPLAIN, metadata
 * calls), which have all of their rows in memory after their run, or those that clients may read again. Thread-safe.
 */
final class KeptRows {
    /** Rows may use one part in this number of the heap. */
    private static final long HEAP_SHARE = 16;

    /** Each operation may use this number of bytes in addition to the limit, so short results are never refused. */
    private static final long FREE = 16 << 10;

    private final long limit;
    private final AtomicLong kept = new AtomicLong();

    KeptRows() {
        this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param limit the limit in bytes for all operations together */
    KeptRows(long limit) {
        this.limit = limit;
    }

    /** Returns the accounted bytes. */
    long kept() {
        return kept.get();
    }

    /** The rows that one operation keeps. */
    final class Share {
        @GuardedBy("this")
        private long charged;

        @GuardedBy("this")
        private boolean released;

        /**
         * Accounts for rows that are ready. Does nothing after the release.
         *
         * @throws SkepException MEMORY_LIMIT_EXCEEDED when the limit is reached
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

        /** Accounts for rows unless the limit is reached or the share is released. Returns whether it did. */
        synchronized boolean tryCharge(long bytes) {
            if (released) {
                return false;
            }
            boolean fits = kept.addAndGet(bytes) <= limit;
            if (fits) {
                charged += bytes;
            } else {
                kept.addAndGet(-bytes);
            }
            return fits;
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
