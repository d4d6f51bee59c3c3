package io.skep.llap.server.rpc;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.rpc.MessageStream;
import io.skep.llap.client.rpc.Outbox;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.client.wire.ReaderFrameCodec;
import io.skep.llap.server.LlapDaemon;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All outputs that another process reads over one connection, which either side may have made. Pages of different
 * streams are sent in one message when they are ready together. The encoded and unsent pages are bounded. Senders wait
 * in a queue, and each one that has sent a page, or has none, wakes the next. Thread-safe.
 */
final class PageMultiplexer implements MessageStream.Listener {
    /** Bytes that wait for the connection before senders wait. Each sender may exceed it by one page. */
    private static final long MAX_WAITING_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(PageMultiplexer.class);

    private final LlapDaemon daemon;
    private final PendingQueries arrivals;
    private final PageCodec codec;
    private final Executor workers;
    private final MessageStream call;
    private final Consumer<Optional<SkepException>> onEnd;
    private final SendBudget budget;
    private final Outbox<PageFrame> outbox;
    private final Map<Long, PageSender> senders = new ConcurrentHashMap<>();
    private final AtomicLong passCount = new AtomicLong();
    /** Requests to pass on an output whose query has not arrived, by their numbers. */
    private final Map<Long, CompletableFuture<@Nullable Void>> passes = new ConcurrentHashMap<>();

    private final Queue<PageSender> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** @param onEnd called once when nothing is read any more; empty when the reader has said so */
    PageMultiplexer(
            LlapDaemon daemon,
            PendingQueries arrivals,
            PageCodec codec,
            Executor workers,
            MessageStream call,
            Consumer<Optional<SkepException>> onEnd) {
        this.daemon = daemon;
        this.arrivals = arrivals;
        this.codec = codec;
        this.workers = workers;
        this.call = call;
        this.onEnd = onEnd;
        this.budget = new SendBudget(daemon.sendMemory(), MAX_WAITING_BYTES);
        this.outbox = new Outbox<>(workers, call::isReady, PageFrameCodec::bytes, this::write, this::endCall);
    }

    void start() {
        call.start(this);
    }

    private void write(List<PageFrame> frames) {
        byte[] message = PageFrameCodec.encodePages(frames);
        if (over.get()) {
            return;
        }
        call.send(message);
        budget.sent(bytes(frames));
        wakeNext();
    }

    private static long bytes(List<PageFrame> frames) {
        return frames.stream().mapToLong(PageFrameCodec::bytes).sum();
    }

    @Override
    public void ready() {
        outbox.flush();
    }

    @Override
    public void arrived(byte[] message) {
        try {
            ReaderFrameCodec.decode(message).forEach(this::handle);
        } catch (RuntimeException | Error e) {
            endCall(e);
        }
    }

    private void endCall(Throwable error) {
        call.end(GrpcStatuses.asSkepException(error));
    }

    private void handle(ReaderFrame frame) {
        switch (frame) {
            case ReaderFrame.Open open -> open(open);
            case ReaderFrame.More(long stream, long bytes) -> {
                PageSender sender = senders.get(stream);
                if (sender != null) {
                    sender.more(bytes);
                }
            }
            case ReaderFrame.Close(long stream) -> {
                PageSender sender = senders.remove(stream);
                if (sender != null) {
                    sender.close();
                }
            }
            case ReaderFrame.Pass(QueryId query, TaskAttemptId output) -> pass(query, output);
            case ReaderFrame.Finish() -> call.finish();
        }
    }

    private void open(ReaderFrame.Open open) {
        PageSender sender = new PageSender(daemon, arrivals, codec, this, open.stream(), open.request(), open.bytes());
        if (senders.putIfAbsent(open.stream(), sender) != null) {
            throw new SkepException(
                    StandardErrorCode.DAMAGED_MESSAGE, "the stream of pages " + open.stream() + " is open already");
        }
        sender.start();
        if (over.get()) {
            sender.close();
        }
    }

    /**
     * Passes on an output, which the reader receives from elsewhere. The request may arrive before the server has
     * registered the query.
     */
    private void pass(QueryId query, TaskAttemptId output) {
        CompletableFuture<@Nullable Void> here = arrivals.await(query).copy();
        long number = passCount.incrementAndGet();
        passes.put(number, here);
        var _ = here.whenCompleteAsync(
                (_, failure) -> {
                    passes.remove(number);
                    arrivals.leave(query);
                    if (failure == null) {
                        passNow(query, output);
                    }
                },
                workers);
        if (over.get()) {
            here.cancel(false);
        }
    }

    private void passNow(QueryId query, TaskAttemptId output) {
        try {
            daemon.releaseReader(query, output);
        } catch (SkepException e) {
            // The query has just ended, together with its outputs.
            LOG.debug("Nothing is kept of query {}", query, e);
        }
    }

    Executor workers() {
        return workers;
    }

    /** Encodes a page that will be sent. */
    byte[] make(Supplier<byte[]> page) {
        return budget.make(page);
    }

    void send(PageFrame frame) {
        budget.add(PageFrameCodec.bytes(frame));
        outbox.add(frame);
    }

    /** Sends the last frame of a sender. */
    void sendLast(PageFrame frame) {
        senders.remove(frame.stream());
        send(frame);
    }

    /** Whether the sender may encode a page. If not, it is woken when it may. */
    boolean hasRoom(PageSender sender) {
        if (budget.hasRoom()) {
            return true;
        }
        waiting.add(sender);
        // Room may have become free just before the sender was queued.
        return budget.hasRoom() && waiting.remove(sender);
    }

    /** Wakes queued senders until the room is used up. */
    private void wakeNext() {
        PageSender next = budget.hasRoom() ? waiting.poll() : null;
        if (next != null) {
            workers.execute(() -> {
                next.resume();
                wakeNext();
            });
        }
    }

    /** Releases all outputs, and stops waiting for queries that have not arrived. */
    @Override
    public void ended(Optional<SkepException> why) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        budget.close();
        for (Long stream : List.copyOf(senders.keySet())) {
            PageSender sender = senders.remove(stream);
            if (sender != null) {
                sender.close();
            }
        }
        List.copyOf(passes.values()).forEach(pass -> pass.cancel(false));
        onEnd.accept(why);
    }
}
