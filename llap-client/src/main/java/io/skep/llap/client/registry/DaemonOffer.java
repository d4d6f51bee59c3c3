package io.skep.llap.client.registry;

import io.skep.llap.client.DaemonIdentity;

/**
 * A daemon that asks for a slot.
 *
 * @param incarnation differs after each start
 * @param host by which clients reach it
 * @param rpcPort where it takes tasks; with the host the daemon's alone
 * @param uiPort of its pages, 0 without them
 */
public record DaemonOffer(String incarnation, String host, int rpcPort, int uiPort, DaemonCapacity capacity) {
    public DaemonOffer withCapacity(DaemonCapacity changed) {
        return new DaemonOffer(incarnation, host, rpcPort, uiPort, changed);
    }

    /** The entry that it becomes in a slot. */
    public DaemonEntry inSlot(int slot) {
        DaemonIdentity identity = new DaemonIdentity(slot, incarnation, capacity.executors());
        return new DaemonEntry(identity, host, rpcPort, uiPort, capacity.memoryBytes(), capacity.cacheBytes());
    }
}
