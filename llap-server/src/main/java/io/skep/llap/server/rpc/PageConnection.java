package io.skep.llap.server.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.rpc.Outbox;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.server.LlapDaemon;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * All outputs that one connected process reads. Pages of different streams go out in one message when they are ready together. What
 * has been made into bytes and not been sent is bounded: senders wait in a row, and each that has sent a page or has none
 * wakes the next. Thread-safe.
 */
final class PageConnection extends ServerCall.Listener<byte[]> {
    /** So many bytes wait for the connection before senders do; each may add a page beyond. */
    private static final long MOST_WAITING_BYTES = 1 << 20;

    private final LlapDaemon daemon;
    private final QueryArrivals arrivals;
    private final PageCodec codec;
    private final Executor workers;
    private final ServerCall<byte[], byte[]> call;
    private final Consumer<PageConnection> onEnd;
    private final SendBudget budget;
    private final Outbox<PageFrame> outbox;
    private final Map<Long, PageSender> senders = new ConcurrentHashMap<>();
    private final Queue<PageSender> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** @param onEnd hears once that the other side is gone */
    PageConnection(
            LlapDaemon daemon,
            QueryArrivals arrivals,
            PageCodec codec,
            Executor workers,
            ServerCall<byte[], byte[]> call,
            Consumer<PageConnection> onEnd) {
        this.daemon = daemon;
        this.arrivals = arrivals;
        this.codec = codec;
        this.workers = workers;
        this.call = call;
        this.onEnd = onEnd;
        this.budget = new SendBudget(daemon.sendMemory(), MOST_WAITING_BYTES);
        this.outbox = new Outbox<>(workers, call::isReady, PageFrameCodec::bytes, this::write);
    }

    void start() {
        call.sendHeaders(new Metadata());
        call.request(1);
    }

    private void write(List<PageFrame> frames) {
        byte[] message = PageFrameCodec.encodePages(frames);
        synchronized (call) {
            if (over.get()) {
                return;
            }
            call.sendMessage(message);
        }
        budget.sent(bytes(frames));
        wakeNext();
    }

    private static long bytes(List<PageFrame> frames) {
        return frames.stream().mapToLong(PageFrameCodec::bytes).sum();
    }

    @Override
    public void onReady() {
        outbox.flush();
    }

    @Override
    public void onMessage(byte[] message) {
        call.request(1);
        try {
            PageFrameCodec.decodeReader(message).forEach(this::handle);
        } catch (SkepException e) {
            end(e);
        }
    }

    private void handle(ReaderFrame frame) {
        switch (frame) {
            case ReaderFrame.Open open -> {
                PageSender sender =
                        new PageSender(daemon, arrivals, codec, this, open.stream(), open.request(), open.bytes());
                senders.put(open.stream(), sender);
                sender.start();
                if (over.get()) {
                    sender.close();
                }
            }
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
        }
    }

    Executor workers() {
        return workers;
    }

    void send(PageFrame frame) {
        budget.add(PageFrameCodec.bytes(frame));
        outbox.add(frame);
    }

    /** The sender's last frame. */
    void sendLast(PageFrame frame) {
        senders.remove(frame.stream());
        send(frame);
    }

    /** Whether the sender may make a page now; if not it is woken when it may. */
    boolean hasRoom(PageSender sender) {
        if (budget.hasRoom()) {
            return true;
        }
        waiting.add(sender);
        // What it waits for may have happened just before.
        return budget.hasRoom() && waiting.remove(sender);
    }

    /** Goes through the row until the room is used up. */
    private void wakeNext() {
        PageSender next = budget.hasRoom() ? waiting.poll() : null;
        if (next != null) {
            workers.execute(() -> {
                next.resume();
                wakeNext();
            });
        }
    }

    @Override
    public void onHalfClose() {
        onCancel();
    }

    @Override
    public void onCancel() {
        end(new SkepException(StandardErrorCode.DAEMON_LOST, "whoever reads has gone"));
    }

    /** Ends the call, and lets go of all outputs. */
    void end(SkepException why) {
        synchronized (call) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            // Nothing happens when the other side has gone.
            call.close(Status.UNAVAILABLE.withDescription(why.getMessage()), Endings.trailers(why));
        }
        budget.close();
        onEnd.accept(this);
        for (Long stream : List.copyOf(senders.keySet())) {
            PageSender sender = senders.remove(stream);
            if (sender != null) {
                sender.close();
            }
        }
    }
}
