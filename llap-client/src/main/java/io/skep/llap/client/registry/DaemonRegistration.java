package io.skep.llap.client.registry;

import io.skep.llap.client.DaemonIdentity;

/** A daemon's place in a registry, kept until it is closed. Thread-safe. */
public interface DaemonRegistration extends AutoCloseable {
    /**
     * Under which slot the daemon is known now. The slot changes only when the registry had lost the daemon and gave its slot
     * to another one in between; the incarnation never does.
     */
    DaemonIdentity identity();

    /** Makes a changed capacity known. */
    void change(DaemonCapacity capacity);

    /** Gives the slot back. */
    @Override
    void close();
}
