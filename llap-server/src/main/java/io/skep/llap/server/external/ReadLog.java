package io.skep.llap.server.external;

import io.skep.common.error.SkepException;
import io.skep.llap.client.external.ReadTicket;
import java.util.Optional;

/** Takes a line for each read of a ticket before its first row, and for each ticket that is refused. Thread-safe. */
public interface ReadLog {
    /** For a process without an audit log. */
    ReadLog NONE = (ticket, address, refusal) -> {};

    /**
     * Returns when the line is written.
     *
     * @param ticket empty for one that cannot be trusted
     * @param address of the reader
     * @param refusal why nothing is read; empty when the read begins now
     * @throws SkepException AUDIT_LOG_FAILED when the read must not begin, because the line cannot be written
     */
    void record(Optional<ReadTicket> ticket, String address, Optional<SkepException> refusal);

    /** Records what is refused anyway. */
    default void recordRefusal(Optional<ReadTicket> ticket, String address, SkepException refusal) {
        try {
            record(ticket, address, Optional.of(refusal));
        } catch (SkepException e) {
            // The process's log has the reason.
        }
    }
}
