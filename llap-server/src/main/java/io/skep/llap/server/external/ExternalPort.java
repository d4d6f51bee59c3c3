package io.skep.llap.server.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.arrow.FlightErrors;
import java.net.URI;
import java.util.Optional;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Ticket;

/** The port of a daemon from which programs with a ticket read rows. */
public final class ExternalPort implements AutoCloseable {
    private static final int PROTOCOL_BYTES = 1 << 10;

    private final FlightPort port;
    private final ExternalStreams streams;

    /**
     * @param streams closed with the port
     * @param log takes a line for each read
     */
    public ExternalPort(
            FlightPort.Place place, LlapDaemon daemon, Tickets tickets, ExternalStreams streams, ReadLog log) {
        this.streams = streams;
        this.port = new FlightPort(
                place,
                new TicketGate(),
                new Reads(tickets, new FragmentReads(daemon, streams, log), log),
                streams.allocator());
    }

    /** The limit of a message that carries a ticket. */
    public static int maxMessageBytes() {
        return Tickets.MAX_BYTES + PROTOCOL_BYTES;
    }

    private static final class Reads extends NoOpFlightProducer {
        private final Tickets tickets;
        private final FragmentReads fragments;
        private final ReadLog log;

        Reads(Tickets tickets, FragmentReads fragments, ReadLog log) {
            this.tickets = tickets;
            this.fragments = fragments;
            this.log = log;
        }

        @Override
        public void getStream(
                FlightProducer.CallContext context, Ticket bytes, FlightProducer.ServerStreamListener listener) {
            try {
                ReadTicket ticket = verified(tickets, bytes, log);
                switch (ticket.work()) {
                    case ReadTicket.Fragment fragment ->
                        fragments.start(ticket, fragment, FlightPort.address(), listener);
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

    /**
     * Returns what a ticket allows. Its reader has proved itself.
     *
     * @throws SkepException when it is forged, altered, expired or foreign; the log has a line then
     */
    public static ReadTicket verified(Tickets tickets, Ticket bytes, ReadLog log) {
        try {
            ReadTicket ticket = tickets.verify(bytes.getBytes());
            FlightPort.proved();
            return ticket;
        } catch (SkepException e) {
            log.recordRefusal(Optional.empty(), FlightPort.address(), e);
            throw e;
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
