package io.skep.llap.client;

/** Identifies the output of a task attempt within its query. */
public record TaskAttemptId(int fragment, int task, int attempt) {}
