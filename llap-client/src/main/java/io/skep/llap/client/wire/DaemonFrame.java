package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.TaskStats;

/** A frame from a daemon to the side that has connected. */
public sealed interface DaemonFrame {
    /** A submitted task has succeeded. */
    record Finished(long call, TaskStats stats) implements DaemonFrame {}

    /** A submitted task has failed, or a call was not understood. */
    record Failed(long call, SkepException failure) implements DaemonFrame {}

    /** A cancellation or the end of a query is complete. */
    record Done(long call) implements DaemonFrame {}

    /** Requests a file that the daemon lacks, of a plan that was registered over this connection. */
    record Want(String hash) implements DaemonFrame {}

    /** The daemon drains: it finishes its queries and accepts no others. */
    record Leaving() implements DaemonFrame {}

    /** Heartbeat of the daemon, with its status. */
    record Status(DaemonStatus status) implements DaemonFrame {}
}
