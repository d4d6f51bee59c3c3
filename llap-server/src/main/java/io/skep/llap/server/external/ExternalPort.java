package io.skep.llap.server.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.arrow.FlightErrors;
import java.net.URI;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Ticket;

/** The port of a daemon from which programs with a ticket read rows. */
public final class ExternalPort implements AutoCloseable {
    private static final int PROTOCOL_BYTES = 1 << 10;

    private final FlightPort port;
    private final ExternalStreams streams;

    /** @param streams closed with the port */
    public ExternalPort(FlightPort.Place place, LlapDaemon daemon, Tickets tickets, ExternalStreams streams) {
        this.streams = streams;
        this.port = new FlightPort(
                place, new TicketGate(), new Reads(tickets, new FragmentReads(daemon, streams)), streams.allocator());
    }

    /** The limit of a message that carries a ticket. */
    public static int maxMessageBytes() {
        return Tickets.MAX_BYTES + PROTOCOL_BYTES;
    }

    private static final class Reads extends NoOpFlightProducer {
        private final Tickets tickets;
        private final FragmentReads fragments;

        Reads(Tickets tickets, FragmentReads fragments) {
            this.tickets = tickets;
            this.fragments = fragments;
        }

        @Override
        public void getStream(
                FlightProducer.CallContext context, Ticket bytes, FlightProducer.ServerStreamListener listener) {
            try {
                ReadTicket ticket = tickets.verify(bytes.getBytes());
                FlightPort.proved();
                switch (ticket.work()) {
                    case ReadTicket.Fragment fragment -> fragments.start(ticket, fragment, listener);
                    case ReadTicket.Statement _ ->
                        throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "this ticket is read from the server, not from a daemon");
                }
            } catch (RuntimeException e) {
                listener.error(FlightErrors.of(e));
            }
        }
    }

    public int port() {
        return port.port();
    }

    /** Returns where readers find the port on a host. */
    public URI location(String host) {
        return port.location(host);
    }

    public ExternalStreams streams() {
        return streams;
    }

    @Override
    public void close() {
        streams.close();
        port.close();
    }
}
