package io.skep.llap.client;

/**
 * A stage graph on its way to a daemon.
 *
 * @param name by which tasks refer to it; whoever gives a name to two plans gives it to equal ones
 */
public record PlanImage(String name, Parcel graph) {}
