package io.skep.service.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases what clients have closed. Runs in the background when that may take long. Failures are logged and do not
 * stop other releases.
 */
final class ReleaseTasks {
    private static final Logger LOG = LoggerFactory.getLogger(ReleaseTasks.class);

    private ReleaseTasks() {}

    /**
     * Returns a future that completes after the action. Never fails.
     *
     * @param here whether the action is known to be short and can run on the calling thread
     */
    static CompletableFuture<@Nullable Void> runAsync(String what, boolean here, Runnable action) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        Runnable guarded = () -> {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                LOG.warn("{} failed", what, e);
            } finally {
                done.complete(null);
            }
        };
        if (here) {
            guarded.run();
        } else {
            Thread.ofVirtual().name(what).start(guarded);
        }
        return done;
    }

    /** Waits with a limit until all are done. Returns whether they are. */
    static boolean await(List<CompletableFuture<@Nullable Void>> all, Duration atMost) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
