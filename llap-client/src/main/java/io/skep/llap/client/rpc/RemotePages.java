package io.skep.llap.client.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stream of pages from another process. A limited number of bytes may be under way, and more are requested as pages
 * are read. Guarded by itself; nothing but the budget is called with the lock held.
 */
final class RemotePages implements PageStream {
    /** The window for a reader that does not specify one. The page that exceeds the window is still sent. */
    static final long WINDOW_BYTES = 512 << 10;

    /** Larger pages are decoded on a worker, in parallel with pages of other streams. */
    private static final int SMALL_BYTES = 32 << 10;

    private final PageReceiver link;
    private final long number;
    private final long window;
    private final PageBudget largePages;
    private final Function<byte[], Batch> decode;

    @GuardedBy("this")
    private final Deque<byte[]> arrived = new ArrayDeque<>();

    @GuardedBy("this")
    private @Nullable CompletableFuture<Optional<Batch>> waiting;

    @GuardedBy("this")
    private @Nullable SkepException failure;

    @GuardedBy("this")
    private long takenBytes;
    /** The part of the budget that the reader's current page uses. */
    @GuardedBy("this")
    private long currentPageWeight;

    @GuardedBy("this")
    private boolean finished;

    /** @param largePages the budget for pages that are larger than the window of any stream */
    RemotePages(PageReceiver link, long number, long window, PageBudget largePages, Function<byte[], Batch> decode) {
        this.link = link;
        this.number = number;
        this.window = window;
        this.largePages = largePages;
        this.decode = decode;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        CompletableFuture<Optional<Batch>> result = new CompletableFuture<>();
        byte[] page;
        synchronized (this) {
            releaseCurrentPage();
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            page = arrived.poll();
            if (page == null && finished) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (page == null) {
                waiting = result;
                return result;
            }
            currentPageWeight = PageBudget.weight(page.length);
        }
        deliver(page, result);
        return result;
    }

    /** Releases the reader's current page from the budget. */
    @GuardedBy("this")
    private void releaseCurrentPage() {
        largePages.release(currentPageWeight);
        currentPageWeight = 0;
    }

    /** One call at a time. */
    void arrived(byte[] page) {
        long weight = PageBudget.weight(page.length);
        if (!largePages.tryReserve(weight)) {
            fail(largePages.refused(page.length));
            link.close(number);
            return;
        }
        CompletableFuture<Optional<Batch>> reader;
        synchronized (this) {
            if (failure != null) {
                largePages.release(weight);
                return;
            }
            reader = waiting;
            waiting = null;
            if (reader == null) {
                arrived.add(page);
                return;
            }
            currentPageWeight = weight;
        }
        if (page.length <= SMALL_BYTES) {
            deliver(page, reader);
        } else {
            link.workers().execute(() -> deliver(page, reader));
        }
    }

    private void deliver(byte[] page, CompletableFuture<Optional<Batch>> reader) {
        requestMoreIfNeeded(page.length);
        Batch batch;
        try {
            batch = decode.apply(page);
        } catch (RuntimeException | Error e) {
            reader.completeExceptionally(asSkepException(e));
            return;
        }
        reader.complete(Optional.of(batch));
    }

    /** Requests more once half of the window has been read. */
    private void requestMoreIfNeeded(int bytes) {
        long more;
        synchronized (this) {
            takenBytes += bytes;
            if (finished || failure != null || takenBytes < window / 2) {
                return;
            }
            more = takenBytes;
            takenBytes = 0;
        }
        link.more(number, more);
    }

    private static SkepException asSkepException(Throwable error) {
        return error instanceof SkepException known
                ? known
                : new SkepException(StandardErrorCode.INTERNAL_ERROR, "a page cannot be read: " + error, error);
    }

    /** Completes the stream after all pages have arrived. */
    void finished() {
        CompletableFuture<Optional<Batch>> reader;
        synchronized (this) {
            finished = true;
            reader = waiting;
            waiting = null;
        }
        if (reader != null) {
            reader.complete(Optional.empty());
        }
    }

    /** Fails the stream. The first reason is kept. */
    void fail(SkepException reason) {
        CompletableFuture<Optional<Batch>> reader;
        SkepException first;
        synchronized (this) {
            if (finished) {
                return;
            }
            first = failure == null ? reason : failure;
            failure = first;
            drop();
            reader = waiting;
            waiting = null;
        }
        if (reader != null) {
            reader.completeExceptionally(first);
        }
    }

    @GuardedBy("this")
    private void drop() {
        arrived.forEach(page -> largePages.release(PageBudget.weight(page.length)));
        arrived.clear();
    }

    @Override
    public void close() {
        fail(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the reader is closed"));
        synchronized (this) {
            releaseCurrentPage();
            drop();
        }
        link.close(number);
    }
}
