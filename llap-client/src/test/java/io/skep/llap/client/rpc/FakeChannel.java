package io.skep.llap.client.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A channel that records the calls that are made over it. The test is the other end. */
final class FakeChannel extends Channel {
    /** One call, with what was sent over it. */
    static final class Call extends ClientCall<byte[], byte[]> {
        final MethodDescriptor<?, ?> method;
        final List<byte[]> sent = new ArrayList<>();
        boolean halfClosed;
        boolean ready = true;
        int requested;

        @Nullable
        String cancelled;

        private @Nullable Listener<byte[]> listener;

        private Call(MethodDescriptor<?, ?> method) {
            this.method = method;
        }

        /** Returns the listener for what arrives. */
        Listener<byte[]> listener() {
            Listener<byte[]> started = listener;
            if (started == null) {
                throw new IllegalStateException("the call has not been started");
            }
            return started;
        }

        @Override
        public void start(Listener<byte[]> responseListener, Metadata headers) {
            listener = responseListener;
        }

        @Override
        public void request(int messages) {
            requested += messages;
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            cancelled = message == null ? "" : message;
        }

        @Override
        public void halfClose() {
            halfClosed = true;
        }

        @Override
        public void sendMessage(byte[] message) {
            if (halfClosed) {
                throw new IllegalStateException("call was half-closed");
            }
            sent.add(message);
        }

        @Override
        public boolean isReady() {
            return ready;
        }
    }

    final List<Call> calls = new ArrayList<>();

    @Override
    @SuppressWarnings("unchecked") // all methods of daemons pass bytes
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
        Call call = new Call(method);
        calls.add(call);
        return (ClientCall<Q, R>) call;
    }

    @Override
    public String authority() {
        return "test";
    }
}
