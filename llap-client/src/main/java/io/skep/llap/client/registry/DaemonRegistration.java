package io.skep.llap.client.registry;

import io.skep.llap.client.DaemonIdentity;

/** A daemon's place in a registry, kept until it is closed. Thread-safe. */
public interface DaemonRegistration extends AutoCloseable {
    /**
     * Returns the daemon's identity with its current slot. The slot changes only when the registry had lost the daemon
     * and gave its slot to another one in between. The incarnation never changes.
     */
    DaemonIdentity identity();

    /** Publishes a changed capacity. */
    void updateCapacity(DaemonCapacity capacity);

    /** Releases the slot. */
    @Override
    void close();
}
