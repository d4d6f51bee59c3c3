package io.skep.llap.server.yarn;

/**
 * A container with a daemon, from the moment that YARN gives it until YARN says that it has ended.
 *
 * @param id the container's
 * @param node as the scheduler names it
 * @param sinceMillis when it came into its phase, in milliseconds since 1970
 */
record DaemonContainer(String id, String node, long generation, DaemonPhase phase, long sinceMillis) {
    DaemonContainer in(DaemonPhase next, long nowMillis) {
        return new DaemonContainer(id, node, generation, next, nowMillis);
    }
}
