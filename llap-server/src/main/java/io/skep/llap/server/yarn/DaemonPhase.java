package io.skep.llap.server.yarn;

/** Where a daemon's container is in its life. */
enum DaemonPhase {
    /** Given to us; the daemon in it is being started. */
    STARTING,
    /** The daemon takes tasks. */
    READY,
    /** Told to end. */
    STOPPING
}
