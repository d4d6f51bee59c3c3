package io.skep.llap.server.cache;

/**
 * What the second tier of the cache holds at a moment, and what it has done.
 *
 * @param capacityBytes what it may take
 * @param usedBytes of chunks that it would find
 * @param hits chunks found
 * @param writes chunks taken
 * @param writtenBytes bytes of them, keys included
 * @param evictions chunks forgotten for newer ones
 * @param dropped chunks refused because the disk was slower than memory gave them up
 * @param damaged chunks that were not on disk as they had been written
 * @param failedFolders folders that were given up after an error
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
