package io.skep.llap.server.external;

import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.flight.FlightConstants;

/**
 * Admits calls that bring a ticket, and nothing else. A ticket is collected in memory before it can be verified, so the
 * number of those that arrive at once is limited.
 */
final class TicketGate implements ServerInterceptor {
    private static final int MAX_ARRIVING = 128;
    private static final String METHOD = FlightConstants.SERVICE + "/DoGet";

    private final Semaphore arriving = new Semaphore(MAX_ARRIVING);

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        if (!call.getMethodDescriptor().getFullMethodName().equals(METHOD)) {
            return refuse(call, Status.UNIMPLEMENTED.withDescription("a daemon serves DoGet only"));
        }
        if (!arriving.tryAcquire()) {
            return refuse(call, Status.RESOURCE_EXHAUSTED.withDescription("too many tickets arrive at once"));
        }
        AtomicBoolean arrived = new AtomicBoolean();
        Runnable note = () -> {
            if (arrived.compareAndSet(false, true)) {
                arriving.release();
            }
        };
        return new Arrival<>(next.startCall(call, headers), note);
    }

    private static <A, B> ServerCall.Listener<A> refuse(ServerCall<A, B> call, Status why) {
        call.close(why, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static final class Arrival<A> extends ForwardingServerCallListener.SimpleForwardingServerCallListener<A> {
        private final Runnable note;

        Arrival(ServerCall.Listener<A> listener, Runnable note) {
            super(listener);
            this.note = note;
        }

        @Override
        public void onMessage(A message) {
            note.run();
            super.onMessage(message);
        }

        @Override
        public void onCancel() {
            note.run();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            note.run();
            super.onComplete();
        }
    }
}
