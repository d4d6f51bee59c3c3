package io.skep.llap.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.rpc.MessageStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that another process has made to this daemon. Thread-safe within the limits that {@link MessageStream} states.
 */
final class InboundStream extends ServerCall.Listener<byte[]> implements MessageStream {
    private final ServerCall<byte[], byte[]> call;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private boolean over;

    private volatile @Nullable Listener listener;

    InboundStream(ServerCall<byte[], byte[]> call) {
        this.call = call;
    }

    @Override
    public void start(Listener given) {
        listener = given;
        call.sendHeaders(new Metadata());
        call.request(1);
    }

    /** Whether it has ended on either side. */
    boolean isOver() {
        synchronized (lock) {
            return over;
        }
    }

    @Override
    public boolean isReady() {
        return call.isReady();
    }

    @Override
    public void send(byte[] message) {
        synchronized (lock) {
            if (!over) {
                call.sendMessage(message);
            }
        }
    }

    @Override
    public void finish() {
        close(Status.OK, new Metadata(), Optional.empty());
    }

    @Override
    public void end(SkepException why) {
        close(Status.UNAVAILABLE.withDescription(why.getMessage()), GrpcStatuses.trailers(why), Optional.of(why));
    }

    private void close(Status status, Metadata trailers, Optional<SkepException> why) {
        synchronized (lock) {
            if (over) {
                return;
            }
            over = true;
            // This has no effect when the peer is gone.
            call.close(status, trailers);
        }
        Listener told = listener;
        if (told != null) {
            told.ended(why);
        }
    }

    @Override
    public void onReady() {
        Listener told = listener;
        if (told != null) {
            told.ready();
        }
    }

    @Override
    public void onMessage(byte[] message) {
        call.request(1);
        Listener told = listener;
        if (told != null) {
            told.arrived(message);
        }
    }

    @Override
    public void onHalfClose() {
        finish();
    }

    @Override
    public void onCancel() {
        end(new SkepException(StandardErrorCode.DAEMON_LOST, "the connection has ended"));
    }
}
