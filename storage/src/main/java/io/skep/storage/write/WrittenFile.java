package io.skep.storage.write;

/** A finished file; sizes in bytes. */
public record WrittenFile(String path, long rowCount, long length) {}
