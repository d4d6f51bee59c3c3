package io.skep.llap.server.disk;

/**
 * The place of a record: its segment (20 bits), its offset there in units of 64 bytes (20 bits) and its length in bytes
 * (24 bits). Packed into a number, it is never 0, because no record is empty.
 */
record DiskPlace(int segment, int offset, int length) {
    static final int ALIGNMENT = 64;
    static final int MAX_SEGMENTS = 1 << 20;
    static final int MAX_SEGMENT_BYTES = 1 << 24;

    private static final int LENGTH_BITS = 24;
    private static final int OFFSET_BITS = 20;

    static DiskPlace of(long packed) {
        return new DiskPlace(
                (int) (packed >>> LENGTH_BITS + OFFSET_BITS),
                ((int) (packed >>> LENGTH_BITS) & (1 << OFFSET_BITS) - 1) * ALIGNMENT,
                (int) packed & (1 << LENGTH_BITS) - 1);
    }

    long packed() {
        return (long) segment << LENGTH_BITS + OFFSET_BITS | (long) (offset / ALIGNMENT) << LENGTH_BITS | length;
    }
}
