package io.skep.llap.server.cache;

/**
 * The contents and the statistics of the cache's second tier at one point in time.
 *
 * @param capacityBytes disk that it may use
 * @param usedBytes bytes of the chunks that it can find
 * @param hits chunks found
 * @param writes chunks accepted
 * @param writtenBytes bytes of the accepted chunks, including keys
 * @param evictions chunks that were dropped for newer ones
 * @param dropped chunks refused because memory evicted chunks faster than the disk could write
 * @param damaged chunks that were not on disk as they had been written
 * @param failedFolders folders that were abandoned after an error
 */
public record SecondTierSnapshot(
        long capacityBytes,
        long usedBytes,
        long chunks,
        long hits,
        long writes,
        long writtenBytes,
        long evictions,
        long dropped,
        long damaged,
        long failedFolders) {
    public static final SecondTierSnapshot NONE = new SecondTierSnapshot(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    public SecondTierSnapshot plus(SecondTierSnapshot other) {
        return new SecondTierSnapshot(
                capacityBytes + other.capacityBytes,
                usedBytes + other.usedBytes,
                chunks + other.chunks,
                hits + other.hits,
                writes + other.writes,
                writtenBytes + other.writtenBytes,
                evictions + other.evictions,
                dropped + other.dropped,
                damaged + other.damaged,
                failedFolders + other.failedFolders);
    }
}
