package io.skep.llap.client;

/** A task attempt's output within its query. */
public record OutputId(int fragment, int task, int attempt) {}
