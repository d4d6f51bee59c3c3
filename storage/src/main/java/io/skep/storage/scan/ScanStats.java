package io.skep.storage.scan;

/** Statistics of a scan so far. File bytes are counted as read, cache bytes as decoded. */
public record ScanStats(
        long rows,
        long rowGroupsRead,
        long rowGroupsSkipped,
        long bytesRead,
        long cacheHitBytes,
        long cacheMissBytes,
        long ioNanos) {
    public static final ScanStats NONE = new ScanStats(0, 0, 0, 0, 0, 0, 0);

    public ScanStats plus(ScanStats other) {
        return new ScanStats(
                rows + other.rows,
                rowGroupsRead + other.rowGroupsRead,
                rowGroupsSkipped + other.rowGroupsSkipped,
                bytesRead + other.bytesRead,
                cacheHitBytes + other.cacheHitBytes,
                cacheMissBytes + other.cacheMissBytes,
                ioNanos + other.ioNanos);
    }
}
