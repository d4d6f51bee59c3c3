package io.skep.llap.client.placement;

/**
 * What reading costs, in executor time: the scales on which waiting for a range's home is weighed against reading the range
 * elsewhere. The bytes are those of the file, of the columns that are read.
 *
 * @param cachedNanosPerByte a range that is in the cache
 * @param fileNanosPerByte a range that has to be fetched, decompressed, decoded and put into the cache first
 * @param openNanos opening a file that has not been opened yet
 * @param stepNanos what a step of others is taken to have left, as long as nothing is known of own ones
 * @param taskNanos a task besides what it reads
 */
public record ReadCosts(
        double cachedNanosPerByte, double fileNanosPerByte, long openNanos, long stepNanos, long taskNanos) {
    /** From docs/performance/scan.md, rounded: a gigabyte a second from the cache, an eighth of it from files. */
    public static final ReadCosts MEASURED = new ReadCosts(1, 8, 5_000_000, 10_000_000, 100_000);

    public ReadCosts {
        if (!(cachedNanosPerByte > 0 && fileNanosPerByte >= cachedNanosPerByte)) {
            throw new IllegalArgumentException("reading costs " + cachedNanosPerByte + " ns a byte from the cache and "
                    + fileNanosPerByte + " from files");
        }
    }

    /** Of a range that is in the cache. */
    public long cachedNanos(long bytes) {
        return (long) (cachedNanosPerByte * bytes);
    }

    /** By how much a range that is not in the cache costs more. */
    public long awayNanos(long bytes) {
        return (long) ((fileNanosPerByte - cachedNanosPerByte) * bytes) + openNanos;
    }
}
