package io.skep.llap.server.yarn;

/** The phase in the life of a daemon's container. */
enum DaemonPhase {
    /** The container is allocated, and its daemon is being started. */
    STARTING,
    /** The daemon accepts tasks. */
    READY,
    /** The daemon has been asked to leave. It accepts no new queries, and stops when its current ones have ended. */
    LEAVING,
    /** YARN has been asked to stop it. */
    STOPPING;

    /** Whether it is about to end. */
    boolean ends() {
        return this == LEAVING || this == STOPPING;
    }
}
