package io.skep.storage.table;

/**
 * One content of one file: a rewritten file is another version. What is cached is cached under it.
 *
 * @param path absolute, with its scheme
 * @param modificationTime milliseconds since 1970
 */
public record FileVersion(String path, long length, long modificationTime) {}
