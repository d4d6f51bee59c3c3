package io.skep.llap.client.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonEndpoint;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A call that this process has made to a daemon. Thread-safe, within the rules of {@link MessageStream}. */
final class OutboundStream extends ClientCall.Listener<byte[]> implements MessageStream {
    private final DaemonEndpoint endpoint;
    private final ClientCall<byte[], byte[]> call;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Object sending = new Object();

    @GuardedBy("sending")
    private boolean finished;

    private volatile @Nullable Listener listener;

    OutboundStream(DaemonEndpoint endpoint, Channel channel, MethodDescriptor<byte[], byte[]> method) {
        this.endpoint = endpoint;
        this.call = channel.newCall(method, CallOptions.DEFAULT);
    }

    @Override
    public void start(Listener given) {
        listener = given;
        call.start(this, new Metadata());
        call.request(1);
    }

    @Override
    public boolean isReady() {
        return call.isReady();
    }

    @Override
    public void send(byte[] message) {
        try {
            synchronized (sending) {
                if (!finished && !over.get()) {
                    call.sendMessage(message);
                }
            }
        } catch (RuntimeException e) {
            end(CallFailures.lost(endpoint, "nothing can be sent to it: " + e));
        }
    }

    @Override
    public void finish() {
        try {
            synchronized (sending) {
                if (!finished && !over.get()) {
                    finished = true;
                    call.halfClose();
                }
            }
        } catch (IllegalStateException e) {
            end(CallFailures.lost(endpoint, "the call has ended: " + e));
        }
    }

    @Override
    public void end(SkepException why) {
        call.cancel(why.getMessage(), why);
        tell(Optional.of(why));
    }

    private void tell(Optional<SkepException> why) {
        Listener told = listener;
        if (over.compareAndSet(false, true) && told != null) {
            told.ended(why);
        }
    }

    @Override
    public void onReady() {
        Listener told = listener;
        if (told != null && !over.get()) {
            told.ready();
        }
    }

    @Override
    public void onMessage(byte[] message) {
        Listener told = listener;
        if (told != null && !over.get()) {
            // The amount that may arrive is bounded by what the readers have requested.
            call.request(1);
            told.arrived(message);
        }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        tell(status.isOk() ? Optional.empty() : Optional.of(CallFailures.of(endpoint, status, trailers)));
    }
}
