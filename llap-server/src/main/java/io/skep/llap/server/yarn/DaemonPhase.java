package io.skep.llap.server.yarn;

/** Where a daemon's container is in its life. */
enum DaemonPhase {
    /** Given to us; the daemon in it is being started. */
    STARTING,
    /** The daemon takes tasks. */
    READY,
    /** The daemon has been asked to leave: it takes no new queries, and ends with those that it has. */
    LEAVING,
    /** YARN has been told to end it. */
    STOPPING;

    /** Whether it is on its way out. */
    boolean ends() {
        return this == LEAVING || this == STOPPING;
    }
}
