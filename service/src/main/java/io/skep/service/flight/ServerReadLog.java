package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.server.external.ReadLog;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditLog;
import io.skep.service.audit.AuditedClient;
import io.skep.service.authentication.Transport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes reads of the daemon in the server's own process to the server's audit log. */
final class ServerReadLog implements ReadLog {
    private final AuditLog audit;

    ServerReadLog(AuditLog audit) {
        this.audit = audit;
    }

    @Override
    public void record(Optional<ReadTicket> ticket, String address, Optional<SkepException> refusal) {
        AuditedClient client = new AuditedClient(
                Transport.FLIGHT, address, Optional.empty(), Optional.empty(), ticket.map(ReadTicket::user));
        audit.record(new AuditEvent(
                AuditEvent.Kind.READ,
                client,
                ticket.map(ReadTicket::query),
                Optional.empty(),
                List.of(),
                Map.of(),
                Optional.empty(),
                refusal));
    }
}
