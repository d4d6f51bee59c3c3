package io.skep.llap.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.server.LlapDaemon;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the queries that have reached this daemon. Another daemon may request a query's rows before the server has
 * registered the query here. Such a request waits until then. Guarded by itself.
 */
final class PendingQueries {
    private static final class Arrival {
        final CompletableFuture<@Nullable Void> here = new CompletableFuture<>();
        int waiting;
    }

    private final LlapDaemon daemon;

    @GuardedBy("this")
    private final Map<QueryId, Arrival> arrivals = new HashMap<>();

    PendingQueries(LlapDaemon daemon) {
        this.daemon = daemon;
    }

    void arrived(QueryId query) {
        CompletableFuture<@Nullable Void> here;
        synchronized (this) {
            here = arrivals.computeIfAbsent(query, _ -> new Arrival()).here;
        }
        here.complete(null);
    }

    /** Notes that the query has ended. Requests that still wait fail with the reason. */
    void ended(QueryId query, SkepException reason) {
        Arrival arrival;
        synchronized (this) {
            arrival = arrivals.remove(query);
        }
        if (arrival != null) {
            arrival.here.completeExceptionally(reason);
        }
    }

    /**
     * Completes when the query is registered, and fails when it has ended. The caller must call {@link #leave}
     * afterwards, whatever the result.
     */
    CompletableFuture<@Nullable Void> await(QueryId query) {
        synchronized (this) {
            // This check needs the lock. A query ends in the daemon before ended() is called, so that one of the two is
            // seen.
            if (daemon.hasEnded(query)) {
                return CompletableFuture.failedFuture(new SkepException(
                        StandardErrorCode.OPERATION_CANCELED,
                        "query " + query + " has ended in the daemon with its rows"));
            }
            Arrival arrival = arrivals.computeIfAbsent(query, _ -> new Arrival());
            arrival.waiting++;
            return arrival.here;
        }
    }

    /** Ends a wait. A query that has never arrived is forgotten when no request waits for it. */
    synchronized void leave(QueryId query) {
        Arrival arrival = arrivals.get(query);
        if (arrival != null) {
            arrival.waiting--;
            if (arrival.waiting <= 0 && !arrival.here.isDone()) {
                arrivals.remove(query);
            }
        }
    }
}
