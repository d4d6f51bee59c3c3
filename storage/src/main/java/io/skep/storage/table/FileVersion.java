package io.skep.storage.table;

/**
 * One content of one file. A rewritten file is another version. Cached data belongs to a file version.
 *
 * @param path absolute, with its scheme
 * @param modificationTime milliseconds since 1970
 * @param identity a fingerprint of the other attributes by which the file system distinguishes contents; 0 when it has
 *     none
 */
public record FileVersion(String path, long length, long modificationTime, long identity) {
    /** The tick of the coarsest kernel clock that applies to files changed in place. */
    private static final long FINE_TICK_MILLIS = 20;

    /** The tick of file systems that store times in whole or even seconds. */
    private static final long COARSE_TICK_MILLIS = 2_000;

    /** Creates the version of a file whose file system provides no other attributes. */
    public FileVersion(String path, long length, long modificationTime) {
        this(path, length, modificationTime, 0);
    }

    /**
     * Whether every later change of the file will be visible. A change within the same tick of the file system's clock
     * may leave length and times unchanged. Therefore data read from a file before that tick is over must not be
     * cached.
     */
    public boolean settledAt(long nowMillis) {
        long tick = identity == 0 ? COARSE_TICK_MILLIS : FINE_TICK_MILLIS;
        return Math.abs(nowMillis - modificationTime) > tick;
    }
}
