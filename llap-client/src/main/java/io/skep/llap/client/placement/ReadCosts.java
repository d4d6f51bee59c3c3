package io.skep.llap.client.placement;

/**
 * The costs of reading, in executor time. They weigh the wait for a range's home against reading the range elsewhere.
 * Bytes are those of the file, and only of the columns that are read.
 *
 * @param cachedNanosPerByte for a range that is in the cache
 * @param fileNanosPerByte for a range that must be fetched, decompressed, decoded and cached first
 * @param openNanos for opening a file that has not been opened yet
 * @param stepNanos the assumed remaining time of a step of other clients, until this process has assigned steps of its
 *     own
 * @param taskNanos for a task, in addition to what it reads
 */
public record ReadCosts(
        double cachedNanosPerByte, double fileNanosPerByte, long openNanos, long stepNanos, long taskNanos) {
    /**
     * The values from docs/performance/scan.md, rounded: a gigabyte a second from the cache, an eighth of it from
     * files.
     */
    public static final ReadCosts MEASURED = new ReadCosts(1, 8, 5_000_000, 10_000_000, 100_000);

    public ReadCosts {
        if (!(cachedNanosPerByte > 0 && fileNanosPerByte >= cachedNanosPerByte)) {
            throw new IllegalArgumentException("reading costs " + cachedNanosPerByte + " ns a byte from the cache and "
                    + fileNanosPerByte + " from files");
        }
    }

    /** Returns the cost of a range that is in the cache. */
    public long cachedNanos(long bytes) {
        return (long) (cachedNanosPerByte * bytes);
    }

    /** Returns the extra cost of a range that is not in the cache. */
    public long awayNanos(long bytes) {
        return (long) ((fileNanosPerByte - cachedNanosPerByte) * bytes) + openNanos;
    }
}
