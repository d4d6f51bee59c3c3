package io.skep.service.flight;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.skep.common.error.SkepException;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.client.external.WriteTicket;
import io.skep.llap.server.arrow.FlightErrors;
import io.skep.llap.server.external.FlightPort;
import io.skep.reader.ExternalWrite;
import java.util.Optional;
import org.apache.arrow.flight.FlightConstants;
import org.apache.arrow.flight.grpc.StatusUtils;

/**
 * Admits calls that bring a ticket for writing in a header. The ticket is verified before anything of the rows is read.
 * All other calls log in.
 */
final class WriteGate implements ServerInterceptor {
    private static final String METHOD = FlightConstants.SERVICE + "/DoPut";
    private static final Metadata.Key<byte[]> TICKET =
            Metadata.Key.of(ExternalWrite.HEADER, Metadata.BINARY_BYTE_MARSHALLER);
    private static final Context.Key<WriteTicket> VERIFIED = Context.key("write-ticket");

    private final Tickets tickets;
    private final WriteLog log;
    private final ServerInterceptor logins;

    WriteGate(Tickets tickets, WriteLog log, ServerInterceptor logins) {
        this.tickets = tickets;
        this.log = log;
        this.logins = logins;
    }

    /** Returns the ticket that the current call has brought. */
    static Optional<WriteTicket> ticket() {
        return Optional.ofNullable(VERIFIED.get());
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        byte[] shown = headers.get(TICKET);
        if (shown == null || !call.getMethodDescriptor().getFullMethodName().equals(METHOD)) {
            return logins.interceptCall(call, headers, next);
        }
        WriteTicket ticket;
        try {
            ticket = tickets.verifyWrite(shown);
        } catch (SkepException e) {
            log.recordRefusal(Optional.empty(), FlightPort.address(), e);
            Throwable error = StatusUtils.toGrpcException(FlightErrors.of(e));
            Metadata trailers = Status.trailersFromThrowable(error);
            call.close(Status.fromThrowable(error), trailers == null ? new Metadata() : trailers);
            return new ServerCall.Listener<>() {};
        }
        FlightPort.proved();
        ServerCallHandler<A, B> believed = new ServerCallHandler<>() {
            @Override
            public ServerCall.Listener<A> startCall(ServerCall<A, B> admitted, Metadata given) {
                return Contexts.interceptCall(Context.current().withValue(VERIFIED, ticket), admitted, given, next);
            }
        };
        // A call that logs in too must do so as the ticket's user.
        return headers.containsKey(FlightLogin.AUTHORIZATION)
                ? logins.interceptCall(call, headers, believed)
                : believed.startCall(call, headers);
    }
}
