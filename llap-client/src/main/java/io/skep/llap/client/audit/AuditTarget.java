package io.skep.llap.client.audit;

import java.io.Closeable;
import java.io.IOException;

/** Where lines of the audit log go. Not thread-safe. */
interface AuditTarget extends Closeable {
    /**
     * Appends whole lines. Either all of them or none are there afterwards.
     *
     * @throws IOException when none are
     */
    void append(byte[] lines) throws IOException;
}
