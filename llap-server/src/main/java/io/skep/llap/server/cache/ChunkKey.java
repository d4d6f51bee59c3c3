package io.skep.llap.server.cache;

import io.skep.storage.table.FileVersion;

/**
 * Identifies one column of one row group in one version of a file. Keys are compared in full; their hashes only find
 * candidates.
 *
 * @param column how the column is decoded, because the same bytes decoded differently are other values
 * @param part index of the row group, or the offset of a decompressed block
 */
public record ChunkKey(FileVersion file, ColumnSchema column, long part) {
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * A 64-bit hash. Equal keys have equal fingerprints, and those of neighbouring keys are unrelated. The hash code
     * that a record generates would be the same for (1, 0) and (0, 31). Different keys may have equal fingerprints.
     */
    public long fingerprint() {
        long hash = mix(SPREAD, file.path().hashCode());
        hash = mix(hash, file.length());
        hash = mix(hash, file.modificationTime());
        hash = mix(hash, file.identity());
        hash = mix(hash, column.hash());
        return mix(hash, part);
    }

    /** A hash that is the same for all versions of a file. */
    long place() {
        return mix(mix(mix(SPREAD, file.path().hashCode()), column.hash()), part);
    }

    /** A hash that differs between versions of a file, except for one pair in four billion. */
    int version() {
        return (int) (mix(mix(mix(SPREAD, file.length()), file.modificationTime()), file.identity()) >>> 32);
    }

    private static long mix(long hash, long value) {
        long mixed = (hash ^ value) * SPREAD;
        return mixed ^ mixed >>> 32;
    }

    @Override
    public int hashCode() {
        return (int) fingerprint();
    }
}
