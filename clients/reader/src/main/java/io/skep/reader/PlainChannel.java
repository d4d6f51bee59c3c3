package io.skep.reader;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/** A connection that sends messages as {@link PlainMessage}. */
final class PlainChannel extends ManagedChannel {
    private final ManagedChannel channel;

    PlainChannel(ManagedChannel channel) {
        this.channel = channel;
    }

    @Override
    public <A, B> ClientCall<A, B> newCall(MethodDescriptor<A, B> method, CallOptions options) {
        return channel.newCall(
                method.toBuilder(new Plain<>(method.getRequestMarshaller()), method.getResponseMarshaller())
                        .build(),
                options);
    }

    private record Plain<T>(MethodDescriptor.Marshaller<T> messages) implements MethodDescriptor.Marshaller<T> {
        @Override
        public InputStream stream(T message) {
            return new PlainMessage(messages.stream(message));
        }

        @Override
        public T parse(InputStream bytes) {
            return messages.parse(bytes);
        }
    }

    @Override
    public String authority() {
        return channel.authority();
    }

    @Override
    public ManagedChannel shutdown() {
        channel.shutdown();
        return this;
    }

    @Override
    public boolean isShutdown() {
        return channel.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return channel.isTerminated();
    }

    @Override
    public ManagedChannel shutdownNow() {
        channel.shutdownNow();
        return this;
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
        return channel.awaitTermination(time, unit);
    }
}
