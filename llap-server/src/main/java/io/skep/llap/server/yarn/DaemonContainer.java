package io.skep.llap.server.yarn;

/**
 * A container with a daemon, from its allocation until YARN reports its end.
 *
 * @param id id of the container
 * @param node name of the node in the scheduler
 * @param sinceMillis when it entered its phase, in milliseconds since 1970
 */
record DaemonContainer(String id, String node, long generation, DaemonPhase phase, long sinceMillis) {
    DaemonContainer in(DaemonPhase next, long nowMillis) {
        return new DaemonContainer(id, node, generation, next, nowMillis);
    }
}
