package io.skep.storage.format;

/** Which files of a format may be read in several splits. */
public enum Splitting {
    ALWAYS,
    /** Files that are compressed as a whole, by their name, are read from their beginning only. */
    UNLESS_COMPRESSED,
    NEVER
}
