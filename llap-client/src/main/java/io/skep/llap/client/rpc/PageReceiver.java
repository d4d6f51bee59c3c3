package io.skep.llap.client.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.client.wire.ReaderFrameCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Receives all pages that this process reads over one connection, with one call. A call for each output would cost more
 * than the rows of a small output. Each stream of pages has its own number and its own window, so that no stream holds
 * up the others. Requests that are made before the call is open wait for it. Thread-safe.
 */
final class PageReceiver implements MessageStream.Listener {
    private final Executor workers;
    private final PageBudget largePages;
    private final Function<byte[], Batch> decode;
    private final Outbox<ReaderFrame> outbox;
    private final AtomicLong numbers = new AtomicLong();

    /** Also serves as the lock for the decision whether the last frame may be sent. */
    private final Map<Long, RemotePages> streams = new ConcurrentHashMap<>();

    @GuardedBy("streams")
    private boolean finished;

    private volatile boolean retired;
    private volatile @Nullable MessageStream call;
    private volatile Consumer<Optional<SkepException>> onEnd = _ -> {};
    private volatile @Nullable SkepException over;

    PageReceiver(Executor workers, PageBudget largePages, Function<byte[], Batch> decode) {
        this.workers = workers;
        this.largePages = largePages;
        this.decode = decode;
        this.outbox = new Outbox<>(workers, this::takesFrames, this::send, this::endCall);
    }

    /**
     * Starts sending requests, after the other side has accepted the proof. Called once.
     *
     * @param end called at the end of the call
     */
    void start(MessageStream made, Consumer<Optional<SkepException>> end) {
        onEnd = end;
        made.start(this);
        call = made;
        outbox.flush();
    }

    /**
     * Requests rows.
     *
     * @param window bytes of pages that may be under way
     * @return empty when the link is retired
     */
    Optional<PageStream> open(PageRequest request, long window) {
        long number = numbers.incrementAndGet();
        RemotePages pages = new RemotePages(this, number, window, largePages, decode);
        synchronized (streams) {
            if (retired) {
                return Optional.empty();
            }
            streams.put(number, pages);
        }
        outbox.add(new ReaderFrame.Open(number, request, window));
        SkepException reason = over;
        if (reason != null) {
            end(reason);
        }
        return Optional.of(pages);
    }

    /**
     * Reports that a reader has got its rows from elsewhere. Returns false, and sends nothing, when the link is
     * retired.
     */
    boolean pass(QueryId query, TaskAttemptId output) {
        synchronized (streams) {
            if (retired) {
                return false;
            }
            outbox.add(new ReaderFrame.Pass(query, output));
            return true;
        }
    }

    void more(long number, long bytes) {
        outbox.add(new ReaderFrame.More(number, bytes));
    }

    /** Closes a stream whose reader needs no more rows. */
    void close(long number) {
        if (streams.remove(number) != null) {
            outbox.add(new ReaderFrame.Close(number));
            finishIfIdle();
        }
    }

    /** Refuses new streams. Open streams continue; when the last has ended, the other side is informed. */
    void retire() {
        synchronized (streams) {
            retired = true;
        }
        finishIfIdle();
    }

    private void finishIfIdle() {
        if (!retired) {
            return;
        }
        synchronized (streams) {
            if (finished || !streams.isEmpty()) {
                return;
            }
            finished = true;
        }
        outbox.add(new ReaderFrame.Finish());
    }

    Executor workers() {
        return workers;
    }

    private boolean takesFrames() {
        MessageStream made = call;
        return made != null && made.isReady();
    }

    private void send(List<ReaderFrame> frames) {
        MessageStream made = call;
        if (made != null && over == null) {
            made.send(ReaderFrameCodec.encode(frames));
        }
    }

    @Override
    public void ready() {
        outbox.flush();
    }

    @Override
    public void arrived(byte[] message) {
        try {
            PageFrameCodec.decodePages(message).forEach(this::deliver);
        } catch (RuntimeException | Error e) {
            endCall(e);
        }
    }

    private void endCall(Throwable error) {
        MessageStream made = call;
        if (made != null) {
            made.end(
                    error instanceof SkepException known
                            ? known
                            : new SkepException(
                                    StandardErrorCode.INTERNAL_ERROR, "pages cannot be delivered: " + error, error));
        }
    }

    private void deliver(PageFrame frame) {
        switch (frame) {
            case PageFrame.Page(long stream, byte[] content) -> {
                RemotePages reader = streams.get(stream);
                // The reader is null when it has closed the stream.
                if (reader != null) {
                    reader.arrived(content);
                }
            }
            case PageFrame.End(long stream) -> last(stream, RemotePages::finished);
            case PageFrame.Failed(long stream, SkepException failure) -> last(stream, reader -> reader.fail(failure));
        }
    }

    private void last(long stream, Consumer<RemotePages> tell) {
        RemotePages reader = streams.remove(stream);
        if (reader != null) {
            tell.accept(reader);
            finishIfIdle();
        }
    }

    @Override
    public void ended(Optional<SkepException> why) {
        onEnd.accept(why);
    }

    /** Fails all current and future readers after the connection is lost. */
    void end(SkepException reason) {
        over = reason;
        for (Long number : List.copyOf(streams.keySet())) {
            RemotePages pages = streams.remove(number);
            if (pages != null) {
                pages.fail(reason);
            }
        }
    }
}
