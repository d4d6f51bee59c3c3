package io.skep.llap.server.cache;

import io.skep.storage.table.FileVersion;

/**
 * One column of one row group of one content of a file. Keys are compared in full; their hashes only find candidates.
 *
 * @param column how the column is decoded, for the same bytes decoded otherwise are other values
 * @param part index of the row group, or the offset of a decompressed block
 */
public record ChunkKey(FileVersion file, ColumnSchema column, long part) {
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * Equal keys have equal ones, and those of neighbours have nothing in common: a record's own hash gives (1, 0) and (0, 31)
     * the same. Different keys may have equal ones.
     */
    public long fingerprint() {
        long hash = mix(SPREAD, file.path().hashCode());
        hash = mix(hash, file.length());
        hash = mix(hash, file.modificationTime());
        hash = mix(hash, file.identity());
        hash = mix(hash, column.hash());
        return mix(hash, part);
    }

    /** The same for all versions of a file. */
    long place() {
        return mix(mix(mix(SPREAD, file.path().hashCode()), column.hash()), part);
    }

    /** Differs between versions of a file, but for one pair in four billion. */
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
