package io.skep.storage.write;

/** A finished file. Sizes are in bytes. */
public record WrittenFile(String path, long rowCount, long length) {}
