package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.client.external.WriteTicket;
import io.skep.llap.server.arrow.ArrowTypes;
import io.skep.ql.external.ExternalWrites;
import io.skep.ql.external.OpenWrite;
import io.skep.reader.ExternalWrite;
import io.skep.storage.write.PageSinkFactory;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.vector.types.pojo.Schema;

/** The writes of programs outside of the server that are under way in this server. Thread-safe. */
public final class PartWrites implements ExternalWrites {
    private final Tickets tickets;
    private final Duration lifetime;
    private final PageSinkFactory sinks;
    private final Map<String, PartWrite> open = new ConcurrentHashMap<>();
    private volatile Optional<URI> server = Optional.empty();

    /**
     * @param lifetime of tickets
     * @param sinks write the files of parts
     */
    public PartWrites(Tickets tickets, Duration lifetime, PageSinkFactory sinks) {
        this.tickets = tickets;
        this.lifetime = lifetime;
        this.sinks = sinks;
    }

    /** Says where this server takes parts. */
    void serveAt(URI location) {
        server = Optional.of(location);
    }

    Tickets tickets() {
        return tickets;
    }

    @Override
    public OpenWrite open(Target target) {
        URI location = server.orElseThrow(
                () -> new SkepException(StandardErrorCode.NOT_SUPPORTED, "this server has no port for external writers")
                        .withHint("set " + FlightConfig.PORT.name()));
        Schema schema = ArrowTypes.schema(target.names(), target.types());
        String name = UUID.randomUUID().toString();
        byte[] access = new ExternalWrite(
                        tickets.issueWrite(target.id(), target.user(), lifetime, name),
                        location,
                        schema.serializeAsMessage())
                .encode();
        PartWrite write = new PartWrite(target, schema, access, sinks, () -> open.remove(name));
        open.put(name, write);
        return write;
    }

    /** @throws SkepException ACCESS_DENIED when the write has ended, or is another server's */
    PartWrite of(WriteTicket ticket) {
        PartWrite write = open.get(ticket.write());
        if (write == null) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "The write of this ticket has ended with its session, or is another server's")
                    .withHint("tickets live as long as the session that has asked for them, and "
                            + ExternalConfig.WRITE_LIFETIME.name() + " at most");
        }
        return write;
    }

    /** The number of writes that have not ended. */
    public int count() {
        return open.size();
    }
}
