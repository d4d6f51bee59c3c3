package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.llap.client.external.WriteTicket;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditLog;
import io.skep.service.audit.AuditedClient;
import io.skep.service.authentication.Transport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes parts that programs outside of the server send to the server's audit log. Thread-safe. */
final class WriteLog {
    private final AuditLog audit;

    WriteLog(AuditLog audit) {
        this.audit = audit;
    }

    /**
     * Returns when the line is written.
     *
     * @param ticket empty for one that cannot be trusted
     * @param refusal why nothing is written; empty when rows may come now
     * @throws SkepException AUDIT_LOG_FAILED when nothing must be written, because the line cannot be
     */
    void record(Optional<WriteTicket> ticket, String address, Optional<SkepException> refusal) {
        AuditedClient client = new AuditedClient(
                Transport.FLIGHT, address, Optional.empty(), Optional.empty(), ticket.map(WriteTicket::user));
        audit.record(new AuditEvent(
                AuditEvent.Kind.WRITE,
                client,
                ticket.map(WriteTicket::query),
                Optional.empty(),
                List.of(),
                Map.of(),
                Optional.empty(),
                refusal));
    }

    /** Records what is refused anyway. */
    void recordRefusal(Optional<WriteTicket> ticket, String address, SkepException refusal) {
        try {
            record(ticket, address, Optional.of(refusal));
        } catch (SkepException e) {
            // The process's log has the reason.
        }
    }
}
