package io.skep.llap.client.registry;

import io.skep.llap.client.DaemonIdentity;

/**
 * The registry entry of a daemon.
 *
 * @param host by which clients reach it
 * @param rpcPort where it accepts tasks
 * @param uiPort of its pages, 0 without them
 * @param memoryBytes heap that queries may reserve
 * @param cacheBytes memory for columns of files
 */
public record DaemonEntry(
        DaemonIdentity identity, String host, int rpcPort, int uiPort, long memoryBytes, long cacheBytes) {
    /** Whether its address is the one that the other daemon claims. Only one of the two can be alive then. */
    public boolean hasSameAddress(DaemonOffer other) {
        return rpcPort == other.rpcPort() && host.equals(other.host());
    }
}
