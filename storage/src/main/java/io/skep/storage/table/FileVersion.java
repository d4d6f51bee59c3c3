package io.skep.storage.table;

/**
 * One content of one file: a rewritten file is another version. What is cached is cached under it.
 *
 * @param path absolute, with its scheme
 * @param modificationTime milliseconds since 1970
 * @param identity fingerprint of what else the file system tells contents apart by; 0 when it has nothing
 */
public record FileVersion(String path, long length, long modificationTime, long identity) {
    /** The coarsest clock of kernels that change a file in place. */
    private static final long FINE_TICK_MILLIS = 20;

    /** File systems that keep whole or even seconds. */
    private static final long COARSE_TICK_MILLIS = 2_000;

    /** Of a file system that tells nothing else. */
    public FileVersion(String path, long length, long modificationTime) {
        this(path, length, modificationTime, 0);
    }

    /**
     * Whether every change that is made from now on shows. One made within the same tick of the file system's clock as
     * the last may leave length and times as they are; so what was read of a file before that tick is over must not be
     * kept.
     */
    public boolean settledAt(long nowMillis) {
        long tick = identity == 0 ? COARSE_TICK_MILLIS : FINE_TICK_MILLIS;
        return Math.abs(nowMillis - modificationTime) > tick;
    }
}
