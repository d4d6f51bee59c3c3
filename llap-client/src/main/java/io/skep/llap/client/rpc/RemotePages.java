package io.skep.llap.client.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.wire.PageRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pages of another process: some are asked for ahead, and one more with each that is taken. Guarded by itself; nothing is called
 * with the lock held.
 */
final class RemotePages extends ClientCall.Listener<byte[]> implements PageStream {
    /** Enough that one is under way while one is read. */
    private static final int AHEAD = 2;

    private final DaemonEndpoint endpoint;
    private final Supplier<Optional<SkepException>> loss;
    private final Function<byte[], Batch> decode;
    private final Deque<byte[]> arrived = new ArrayDeque<>();
    private @Nullable CompletableFuture<Optional<Batch>> waiting;
    private @Nullable ClientCall<byte[], byte[]> call;
    private @Nullable SkepException failure;
    private boolean finished;

    /** @param loss why the daemon is lost, once it is */
    RemotePages(DaemonEndpoint endpoint, Supplier<Optional<SkepException>> loss, Function<byte[], Batch> decode) {
        this.endpoint = endpoint;
        this.loss = loss;
        this.decode = decode;
    }

    void start(Channel channel, PageRequest request) {
        ClientCall<byte[], byte[]> made = channel.newCall(DaemonRpc.PAGES, CallOptions.DEFAULT);
        synchronized (this) {
            if (failure != null) {
                return;
            }
            call = made;
        }
        made.start(this, new Metadata());
        made.request(AHEAD);
        made.sendMessage(request.encode());
        made.halfClose();
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        byte[] page;
        synchronized (this) {
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            page = arrived.poll();
            if (page == null && finished) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (page == null) {
                CompletableFuture<Optional<Batch>> result = new CompletableFuture<>();
                waiting = result;
                return result;
            }
        }
        CompletableFuture<Optional<Batch>> result = new CompletableFuture<>();
        deliver(page, result);
        return result;
    }

    @Override
    public void onMessage(byte[] page) {
        CompletableFuture<Optional<Batch>> reader;
        synchronized (this) {
            reader = waiting;
            waiting = null;
            if (reader == null) {
                arrived.add(page);
                return;
            }
        }
        deliver(page, reader);
    }

    private void deliver(byte[] page, CompletableFuture<Optional<Batch>> reader) {
        ClientCall<byte[], byte[]> running;
        synchronized (this) {
            running = call;
        }
        if (running != null) {
            running.request(1);
        }
        Batch batch;
        try {
            batch = decode.apply(page);
        } catch (RuntimeException e) {
            reader.completeExceptionally(asSkepException(e));
            return;
        }
        reader.complete(Optional.of(batch));
    }

    private static SkepException asSkepException(RuntimeException error) {
        return error instanceof SkepException known
                ? known
                : new SkepException(StandardErrorCode.INTERNAL_ERROR, "a page cannot be read: " + error, error);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        if (!status.isOk()) {
            fail(loss.get().orElseGet(() -> CallFailures.of(endpoint, status, trailers)));
            return;
        }
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

    /** The first reason stays. */
    void fail(SkepException reason) {
        CompletableFuture<Optional<Batch>> reader;
        SkepException first;
        synchronized (this) {
            if (finished) {
                return;
            }
            first = failure == null ? reason : failure;
            failure = first;
            arrived.clear();
            reader = waiting;
            waiting = null;
        }
        if (reader != null) {
            reader.completeExceptionally(first);
        }
    }

    @Override
    public void close() {
        fail(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the reader is closed"));
        ClientCall<byte[], byte[]> running;
        synchronized (this) {
            running = call;
        }
        if (running != null) {
            // Nothing happens when the call is over.
            running.cancel("the reader is closed", null);
        }
    }
}
