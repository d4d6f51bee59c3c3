package io.skep.llap.client;

/**
 * One life of one daemon.
 *
 * @param slot its stable place on the ring that splits are hashed to
 * @param incarnation differs after each start, so outputs of an earlier life are known to be gone
 * @param executors how many tasks run at once
 */
public record DaemonIdentity(int slot, String incarnation, int executors) {}
