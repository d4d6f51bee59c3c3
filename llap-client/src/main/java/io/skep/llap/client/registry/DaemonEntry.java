package io.skep.llap.client.registry;

import io.skep.llap.client.DaemonIdentity;

/**
 * A registered daemon.
 *
 * @param host by which clients reach it
 * @param rpcPort where it takes tasks
 * @param uiPort of its pages, 0 without them
 * @param memoryBytes heap that queries may reserve
 * @param cacheBytes memory for columns of files
 */
public record DaemonEntry(
        DaemonIdentity identity, String host, int rpcPort, int uiPort, long memoryBytes, long cacheBytes) {
    /** Whether clients reach it where the other daemon says that it is: only one of the two can be alive. */
    public boolean isWhere(DaemonOffer other) {
        return rpcPort == other.rpcPort() && host.equals(other.host());
    }
}
