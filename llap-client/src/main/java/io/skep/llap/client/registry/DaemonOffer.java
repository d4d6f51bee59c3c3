package io.skep.llap.client.registry;

import io.skep.llap.client.DaemonIdentity;

/**
 * A daemon's request for a slot.
 *
 * @param incarnation differs after each start
 * @param host by which clients reach it
 * @param rpcPort where it accepts tasks; no other live daemon has the same host and port
 * @param uiPort of its pages, 0 without them
 */
public record DaemonOffer(String incarnation, String host, int rpcPort, int uiPort, DaemonCapacity capacity) {
    public DaemonOffer withCapacity(DaemonCapacity changed) {
        return new DaemonOffer(incarnation, host, rpcPort, uiPort, changed);
    }

    /** Returns the entry of this daemon in a slot. */
    public DaemonEntry inSlot(int slot) {
        DaemonIdentity identity = new DaemonIdentity(slot, incarnation, capacity.executors());
        return new DaemonEntry(identity, host, rpcPort, uiPort, capacity.memoryBytes(), capacity.cacheBytes());
    }
}
