package io.skep.llap.client;

/** A task's output and the incarnation of the daemon that holds it. */
public record OutputLocation(DaemonIdentity daemon, TaskAttemptId output) {}
