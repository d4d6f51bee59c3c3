package io.skep.llap.client.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.client.wire.ReaderFrame;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All pages that this process reads over one connection, on one call: a call for each output costs more than the rows of a small
 * one. Each stream of pages has its own number and its own bytes that may come, so that none holds up the others. Thread-safe.
 */
final class PageLink extends ClientCall.Listener<byte[]> {
    private final Executor workers;
    private final Function<byte[], Batch> decode;
    private final BiConsumer<Status, Metadata> onEnd;
    private final Outbox<ReaderFrame> outbox;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, RemotePages> streams = new ConcurrentHashMap<>();
    private volatile @Nullable ClientCall<byte[], byte[]> call;
    private volatile @Nullable SkepException over;

    /** @param onEnd hears of the end of the call, which is the end of the connection */
    PageLink(Executor workers, Function<byte[], Batch> decode, BiConsumer<Status, Metadata> onEnd) {
        this.workers = workers;
        this.decode = decode;
        this.onEnd = onEnd;
        this.outbox = new Outbox<>(workers, this::ready, this::send);
    }

    /** Sends from now on what has been asked for; the daemon believes the connection. */
    void start(Channel channel) {
        ClientCall<byte[], byte[]> made = channel.newCall(DaemonRpc.PAGES, CallOptions.DEFAULT);
        made.start(this, new Metadata());
        made.request(1);
        call = made;
        outbox.flush();
    }

    /** @param window bytes of pages that may be under way */
    RemotePages open(PageRequest request, long window) {
        long number = numbers.incrementAndGet();
        RemotePages pages = new RemotePages(this, number, window, decode);
        streams.put(number, pages);
        outbox.add(new ReaderFrame.Open(number, request, window));
        SkepException reason = over;
        if (reason != null) {
            end(reason);
        }
        return pages;
    }

    void more(long number, long bytes) {
        outbox.add(new ReaderFrame.More(number, bytes));
    }

    /** The reader wants nothing more. */
    void close(long number) {
        if (streams.remove(number) != null) {
            outbox.add(new ReaderFrame.Close(number));
        }
    }

    Executor workers() {
        return workers;
    }

    private boolean ready() {
        ClientCall<byte[], byte[]> made = call;
        return made != null && made.isReady();
    }

    private void send(List<ReaderFrame> frames) {
        ClientCall<byte[], byte[]> made = call;
        if (made == null || over != null) {
            return;
        }
        try {
            made.sendMessage(PageFrameCodec.encodeReader(frames));
        } catch (RuntimeException e) {
            onEnd.accept(Status.fromThrowable(e), new Metadata());
        }
    }

    @Override
    public void onReady() {
        outbox.flush();
    }

    @Override
    public void onMessage(byte[] message) {
        ClientCall<byte[], byte[]> made = call;
        if (made != null) {
            // What may come is bounded by what the readers have asked for.
            made.request(1);
        }
        for (PageFrame frame : PageFrameCodec.decodePages(message)) {
            deliver(frame);
        }
    }

    private void deliver(PageFrame frame) {
        switch (frame) {
            case PageFrame.Page(long stream, byte[] content) -> find(stream).ifPresent(pages -> pages.arrived(content));
            case PageFrame.End(long stream) ->
                Optional.ofNullable(streams.remove(stream)).ifPresent(RemotePages::finished);
            case PageFrame.Failed(long stream, SkepException failure) ->
                Optional.ofNullable(streams.remove(stream)).ifPresent(pages -> pages.fail(failure));
        }
    }

    /** Nothing when its reader has closed it. */
    private Optional<RemotePages> find(long stream) {
        return Optional.ofNullable(streams.get(stream));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        onEnd.accept(status, trailers);
    }

    /** The connection is lost: all who read fail, also those who begin later. */
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
