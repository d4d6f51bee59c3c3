package io.skep.llap.client;

import java.util.Optional;

/**
 * One incarnation of one daemon.
 *
 * @param slot its stable place on the ring that splits are hashed to
 * @param incarnation differs after each start, so outputs of an earlier incarnation are known to be gone
 * @param executors how many tasks run at once
 * @param endpoint the address for other processes; empty when only its own process reaches it
 */
public record DaemonIdentity(int slot, String incarnation, int executors, Optional<DaemonEndpoint> endpoint) {
    /** Creates the identity of a daemon that only its own process reaches. */
    public DaemonIdentity(int slot, String incarnation, int executors) {
        this(slot, incarnation, executors, Optional.empty());
    }
}
