package io.skep.service.audit;

import io.skep.common.error.SkepException;

/** Takes a line for each event before what it is about begins. Thread-safe. */
public interface AuditLog extends AutoCloseable {
    /** The log of a server that has none. */
    AuditLog NONE = new AuditLog() {
        @Override
        public void record(AuditEvent event) {}

        @Override
        public void close() {}
    };

    /**
     * Returns when the operating system has the line.
     *
     * @throws SkepException AUDIT_LOG_FAILED when what the event is about must not begin, because the line cannot be
     *     written
     */
    void record(AuditEvent event);

    /** Records what is refused anyway. */
    default void recordRefusal(AuditEvent event) {
        try {
            record(event);
        } catch (SkepException e) {
            // The process's log has the reason.
        }
    }

    @Override
    void close();
}
