package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.TaskStats;

/** What a daemon says to whoever has connected. */
public sealed interface DaemonFrame {
    /** A submitted task has ended well. */
    record Finished(long call, TaskStats figures) implements DaemonFrame {}

    /** A submitted task has failed, or a call was not understood. */
    record Failed(long call, SkepException failure) implements DaemonFrame {}

    /** What was to be cancelled or ended has left nothing. */
    record Done(long call) implements DaemonFrame {}

    /** The daemon lacks a file of a plan that was registered over this connection: it is to be sent. */
    record Want(String hash) implements DaemonFrame {}

    /** The daemon ends with the queries that it has, and wants no others. */
    record Leaving() implements DaemonFrame {}

    /** The daemon is alive, and how it does. */
    record Status(DaemonStatus status) implements DaemonFrame {}
}
