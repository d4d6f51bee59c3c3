package io.skep.llap.client;

/** A serialized stage graph and the hash of its content. */
public record PlanImage(String hash, byte[] bytes) {}
