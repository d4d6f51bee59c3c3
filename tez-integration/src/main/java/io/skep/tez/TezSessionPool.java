package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/**
 * Tez sessions, kept warm between queries; made when they are first needed, up to a number. A session that a query has found
 * broken is not used again. The collections are guarded by the pool itself.
 */
final class TezSessionPool implements AutoCloseable {
    private final TezSettings settings;
    private final DaemonPlugins plugins;
    private final Semaphore permits;
    private final Deque<TezSession> idle = new ArrayDeque<>();
    private boolean closed;

    TezSessionPool(TezSettings settings, DaemonPlugins plugins) {
        this.settings = settings;
        this.plugins = plugins;
        this.permits = new Semaphore(settings.sessions(), true);
    }

    /** A session for one query; waits for one to become free. */
    TezSession acquire() throws InterruptedException {
        permits.acquire();
        try {
            synchronized (this) {
                if (closed) {
                    throw new SkepException(StandardErrorCode.TEZ_ERROR, "the Tez sessions are closed");
                }
                TezSession known = idle.poll();
                if (known != null) {
                    return known;
                }
            }
            return TezSession.start(settings, plugins, "skep-" + UUID.randomUUID());
        } catch (RuntimeException e) {
            permits.release();
            throw e;
        }
    }

    /** @param healthy whether it may serve another query */
    void release(TezSession session, boolean healthy) {
        boolean keep;
        synchronized (this) {
            keep = healthy && !closed;
            if (keep) {
                idle.push(session);
            }
        }
        try {
            if (!keep) {
                session.close();
            }
        } finally {
            permits.release();
        }
    }

    /** Ends the sessions that are idle; others end when their query gives them back. */
    @Override
    public void close() {
        List<TezSession> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(idle);
            idle.clear();
        }
        left.forEach(TezSession::close);
    }
}
